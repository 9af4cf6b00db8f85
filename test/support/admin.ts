import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { perform } from "../../infra/operator/admin/program.ts";
import { shownResult } from "../../infra/operator/admin/show.ts";
import { trailInTables, type Trail } from "../../infra/operator/admin/trail.ts";
import type { Cloud } from "../../infra/operator/common/cloud.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";

const main = fileURLToPath(new URL("../../infra/operator/admin/admin.ts", import.meta.url));

/** The operator's command line on a running stack. */
export function operatorOf(
  file: Pick<StackFile, "tables" | "serviceBus" | "peppers" | "codeKeys" | "webhookSecretKeys">,
) {
  const { tables, serviceBus, peppers, codeKeys, webhookSecretKeys } = file;
  const connections = { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };
  const keyrings = { KEY_PEPPERS: peppers, TOKEN_CODE_KEYS: codeKeys, WEBHOOK_SECRET_KEYS: webhookSecretKeys };
  const secrets = Object.fromEntries(Object.entries(keyrings).map(([name, keys]) => [name, JSON.stringify(keys)]));
  const env = { ...process.env, ...connections, ...secrets };
  const cloud: Cloud = { tables, serviceBus, peppers, codeKeys, webhookSecretKeys, isLocal: true, around: {} };
  return {
    /** Runs a command in its own process. Returns its output, its error output and its exit code. */
    async admin(...args: string[]) {
      const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: child.exitCode, out, complaint };
    },
    /** The output and the notes of a successful command, without the cost of a process. */
    async printed(...args: string[]) {
      const notes: string[] = [];
      const note = (line: string) => void notes.push(line);
      const performed = await perform(args, { findCloud: async () => cloud, note, trail: trailInTables });
      const out = "help" in performed ? performed.help : shownResult(performed.result, performed.command);
      return { out, notes };
    },
    /** The JSON output of a successful command, without the cost of a process. Rejects with its error. */
    shown: <T = Record<string, unknown>>(...args: string[]) => shownOn<T>(async () => cloud, args, trailInTables),
  };
}

/** The JSON output of a command. Rejects with its error. Without a trail the command is not recorded. */
export async function shownOn<T>(findCloud: () => Promise<Cloud>, words: readonly string[], trail?: Trail): Promise<T> {
  const performed = await perform(words, { findCloud, note: () => {}, trail });
  if ("help" in performed) throw new Error(performed.help);
  return JSON.parse(JSON.stringify(performed.result ?? null)) as T;
}
