import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../package.json" with { type: "json" };

// The differences between a clone of this repository and the packed sandbox. The sandbox has the same folders with JavaScript in place of
// TypeScript, and nothing is built in it.

/** The name of the sandbox's package. */
export const SANDBOX = "terminal-payments-sandbox";

/** Whether this code runs in the packed sandbox. */
export const isPacked = project.name === SANDBOX;

/**
 * Whether a release has published the sandbox. Before that, another person may own its name, so no page or message may tell a user to type
 * it after a bare `npx`, which would fetch it.
 */
export const isPublished = false;

/** The words that run the installed sandbox. With `--no`, `npx` fetches nothing. */
export const sandboxWords = `npx ${isPublished ? "" : "--no "}${SANDBOX}`;

/** The folder of this clone, or of the installed package. */
export const projectFolder = resolve(import.meta.dirname, "../..");

const stateHome = (): string => {
  const named = process.env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(named)) return named;
  return process.platform === "win32" ? (process.env["LOCALAPPDATA"] ?? homedir()) : join(homedir(), ".local", "state");
};

/** The folder to which stacks write. */
export const stateFolder = isPacked ? join(stateHome(), SANDBOX) : join(projectFolder, ".local");

/**
 * The cache of compiled code. It shortens a program's start by a third. Only the user may write to it, because others could add their own
 * code.
 */
export const compileCache = isPacked
  ? join(stateFolder, "compile")
  : join(projectFolder, "node_modules", ".cache", "compile");

/** The words after a command's name. In the packed sandbox all commands are one program, and the first word is the name. */
export const givenWords = (): string[] => process.argv.slice(isPacked ? 3 : 2);

/** The file of a program. `from` is the `import.meta.url` of the caller. The path is relative to the caller, and has no extension. */
export const programFile = (path: string, from: string): string =>
  fileURLToPath(new URL(`${path}${isPacked ? ".js" : ".ts"}`, from));
