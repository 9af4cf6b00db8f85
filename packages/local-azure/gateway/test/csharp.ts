import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

// Runs programs in C#, and checks policy expressions with its compiler. Both are those of the installed .NET SDK. Nothing is downloaded.

const project = join(import.meta.dirname, "csharp");
const artifacts = resolve(import.meta.dirname, "../../../../.local/csharp");

/** With these variables, no compiler server and no build node outlives its command. */
const env = {
  ...process.env,
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  MSBUILDDISABLENODEREUSE: "1",
};

export const dotnetIsPresent = spawnSync("dotnet", ["--version"], { env }).status === 0;

async function dotnet(args: readonly string[], input = ""): Promise<string> {
  const child = spawn("dotnet", args, { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}); // it ended before it read; its exit code says why
  child.stdin.end(input);
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`dotnet ${args[0]} ended with ${String(code)}: ${said.slice(-2_000)}${complained}`);
  return said;
}

/** Builds the program in this folder, otherwise the checking program. If it is built already, this takes two seconds. */
export const buildCsharp = async (folder = project): Promise<void> =>
  void (await dotnet(["build", folder, "--artifacts-path", artifacts, "-p:UseSharedCompilation=false", "-v", "q"]));

/** Runs a built program, which reads one JSON document and writes one. */
export const runCsharp = async (name: string, args: readonly string[], input: unknown): Promise<unknown> =>
  JSON.parse(await dotnet([join(artifacts, `bin/${name}/debug/${name}.dll`), ...args], JSON.stringify(input)));

const run = async (mode: string, input: unknown): Promise<unknown> => runCsharp("Expressions", [mode], input);

export interface Judged {
  /** The expression with its frame, `@(…)` or `@{…}`. */
  readonly source: string;
  /** The C# type that its attribute needs. */
  readonly type: string;
}

/** The complaint of C#, or of the list of members that policies may use, about each expression. Null if there is none. */
export const judge = async (expressions: readonly Judged[]) =>
  (await run("judge", expressions)) as readonly (string | null)[];

/** A context in the form that both sides read. */
export interface DrawnContext {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly ipAddress: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, readonly string[]>>;
  /** The source and the reason. */
  readonly lastError: readonly [string, string] | null;
  readonly subscriptionId: string | null;
  readonly apiId: string | null;
  readonly operationId: string | null;
  readonly variables: Readonly<
    Record<string, { readonly type: string; readonly value: string | number | boolean | null }>
  >;
}

export interface Runs {
  readonly contexts: readonly DrawnContext[];
  /** The expressions without a frame, and the indexes of the contexts in which to run them. */
  readonly expressions: readonly { readonly source: string; readonly contexts: readonly number[] }[];
}

/** A value, or the name of the exception. */
export type Ran = { readonly value: string | number | boolean | null } | { readonly fails: string };

/** The result of an expression in C#: its .NET type, and a result for each of its contexts. */
export interface InCsharp {
  readonly type: string;
  readonly results: readonly Ran[];
}

/** Runs expressions in C#. Null for an expression that does not compile. */
export const runInCsharp = async (runs: Runs) => (await run("run", runs)) as readonly (InCsharp | null)[];
