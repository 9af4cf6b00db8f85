import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import project from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The words of `git describe` about the commit in this folder. Undefined without git or a clone, and if nothing fits. */
const described = (cwd: string, ...words: string[]): Promise<string | undefined> =>
  promisify(execFile)("git", ["describe", ...words], { cwd }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** The commit, with `-dirty` if files differ from it. */
const commitIn = (folder: string) => described(folder, "--always", "--dirty", "--abbrev=12", "--exclude=*");

/** The app's version: that of package.json and the commit. Without git or a clone: the version alone. */
export async function ownVersion(): Promise<string> {
  const commit = await commitIn(root);
  return commit === undefined ? project.version : `${project.version}+${commit}`;
}

/**
 * The version of a package's build: the given one for the commit of a release's tag, otherwise `<version>-dev.g<commit>`. The letter, which
 * git uses too, keeps a commit of digits from being a number. Without git or a clone: the given one.
 *
 * @param folder a folder of the clone
 */
export async function packageVersion(version: string, folder = root): Promise<string> {
  const [commit, tag] = await Promise.all([
    commitIn(folder),
    described(folder, "--exact-match", "--tags", "--match=v[0-9]*"),
  ]);
  const isReleased = tag !== undefined && commit?.endsWith("-dirty") === false;
  return commit === undefined || isReleased ? version : `${version}-dev.g${commit}`;
}
