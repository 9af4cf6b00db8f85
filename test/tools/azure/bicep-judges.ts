import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../support/rooms.ts";
import { skippedIf } from "../../support/skipped.ts";

// What judges the templates by Azure's own types, where it is there: a checker that lies beside the project, and the compiler of Bicep.

const folder = join(root, "../shared/tools/bicep-check");
const types = join(root, "../shared/data/bicep-types");

export const checkerIsPresent = existsSync(join(folder, "checker.mjs")) && existsSync(types);
export const withoutChecker = skippedIf(
  !checkerIsPresent,
  "Microsoft's types and their checker are not beside the project, in ../shared",
);

interface Checker {
  readonly Workspace: new (types: unknown) => {
    check(file: string): void;
    diagnostics(): readonly {
      readonly file: string;
      readonly line: number;
      readonly code: string;
      readonly message: string;
    }[];
  };
}
interface Types {
  readonly resourceTypes: (folder: string) => unknown;
}

let loaded: Promise<() => InstanceType<Checker["Workspace"]>> | undefined;

/** Reading the types takes longer than checking by them. */
async function load() {
  const module = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const { Workspace } = (await module("checker.mjs")) as Checker;
  const known = ((await module("resource-types.mjs")) as Types).resourceTypes(types);
  return () => new Workspace(known);
}

/** What the checker has against the templates, one sentence each. Throws where it is not there. */
export async function objections(files: readonly string[]): Promise<string[]> {
  const newWorkspace = await (loaded ??= load());
  const workspace = newWorkspace();
  for (const file of files) workspace.check(file);
  return workspace.diagnostics().map(({ file, line, code, message }) => `${file}:${line} ${code}: ${message}`);
}

export const compilerIsPresent = spawnSync("bicep", ["--version"]).status === 0;
export const withoutCompiler = skippedIf(!compilerIsPresent, "there is no bicep on this machine");

/** What the compiler and its linter say against a file: nothing where it is right. A file of parameters reads what an environment sets. */
export function complaints(file: string): string {
  const words = file.endsWith(".bicepparam") ? [["build-params"]] : [["build"], ["lint"]];
  const given = [...readFileSync(file, "utf8").matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name = ""]) => [
    name,
    "given",
  ]);
  const env: Record<string, string | undefined> = { ...process.env, ...Object.fromEntries(given) };
  return words
    .map(([word = ""]) =>
      spawnSync("bicep", [word, file, ...(word === "lint" ? [] : ["--stdout"])], { encoding: "utf8", env }),
    )
    .filter(({ status, stderr }) => status !== 0 || stderr !== "")
    .map(({ stderr }) => stderr)
    .join("");
}
