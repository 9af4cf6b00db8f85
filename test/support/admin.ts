import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { StackFile } from "../../infra/local/stack.ts";

const main = fileURLToPath(new URL("../../infra/admin/main.ts", import.meta.url));

/** The operator's command line on a running stack. */
export function operatorOf({ tables, serviceBus }: StackFile) {
  const env = { ...process.env, TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };
  const admin = async (...args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, out, complaint };
  };
  return {
    admin,
    /** What a command that succeeds prints. */
    async shown<T = Record<string, unknown>>(...args: string[]): Promise<T> {
      const { code, out, complaint } = await admin(...args);
      if (code !== 0) throw new Error(`admin ${args.join(" ")}: ${complaint}`);
      return JSON.parse(out) as T;
    },
  };
}
