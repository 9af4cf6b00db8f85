import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runSubcommand } from "../../infra/admin/subcommands.ts";
import type { StackFile } from "../../infra/local/stack-file.ts";

const main = fileURLToPath(new URL("../../infra/admin/main.ts", import.meta.url));

/** The operator's command line on a running stack. */
export function operatorOf({ tables, serviceBus }: StackFile) {
  const env = { ...process.env, TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };
  return {
    /** As a process of its own: what it prints, complains of and exits with. */
    async admin(...args: string[]) {
      const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: child.exitCode, out, complaint };
    },
    /** What a command that succeeds would print, without the price of a process. */
    async shown<T = Record<string, unknown>>(...args: string[]): Promise<T> {
      return JSON.parse(JSON.stringify(await runSubcommand(args, async () => ({ tables, serviceBus })))) as T;
    },
  };
}
