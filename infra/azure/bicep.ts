import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

// Microsoft's compiler of Bicep. compiler.csproj names its version, and .ci/run restores it.

const here = fileURLToPath(new URL("./", import.meta.url));

/** The version that checks the templates, such as `0.49.2`. */
export const bicepVersion =
  /Version="\[([\d.]+)\]"/.exec(readFileSync(join(here, "compiler.csproj"), "utf8"))?.[1] ?? "";

const restored = join(
  here,
  `../../node_modules/.cache/nuget/azure.bicep.commandline.linux-x64/${bicepVersion}/tools/bicep`,
);
/** The path to which `az bicep install` installs it. */
const ofAz = join(homedir(), ".azure/bin", process.platform === "win32" ? "bicep.exe" : "bicep");

const compiler = [restored, ofAz].find((path) => existsSync(path)) ?? "bicep";
/** With this variable the compiler does not need the system's language data, which a small machine lacks. */
const base = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" };

/** The version of the compiler on this machine. Undefined if there is none. */
export const bicepOnThisMachine = (): string | undefined =>
  /version ([\d.]+)/.exec(spawnSync(compiler, ["--version"], { env: base, encoding: "utf8" }).stdout ?? "")?.[1];

/** The result of a command of the compiler. */
export interface Compiled {
  readonly code: number | null;
  readonly stdout: string;
  /** Errors and warnings, one for each line. */
  readonly stderr: string;
}

/** Runs the compiler. A parameter file reads `variables` from the environment. */
export async function bicep(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Compiled> {
  const child = spawn(compiler, words, { env: { ...base, ...variables }, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
