import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildApp } from "../../infra/build.ts";
import { startStack } from "../../infra/local/stack.ts";
import type { StackFile } from "../../infra/local/stack-file.ts";
import { upload } from "../support/endless-upload.ts";
import { defineBench, whole, type Tell } from "./bench.ts";
import { round } from "./statistics.ts";

const MB = 1024 * 1024;

const parts = { gateway: "gateway/main.ts", host: "functions-host/main.ts" };
type Part = keyof typeof parts;

/** Resident memory, in bytes, of a part of the stack, which is a child of this process. */
async function memoryOf(part: Part): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "ppid=,rss=,args="]);
  for (const line of stdout.split("\n")) {
    const [, parent, kilobytes, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) === process.pid && args.includes(parts[part])) return Number(kilobytes) * 1024;
  }
  throw new Error(`there is no process of the ${part}`);
}

function uploads({ partnersUrl, terminalsUrl, functionsUrl, demo }: StackFile) {
  const terminal = { "x-terminal-key": "unknown" };
  const keys = demo.functionsKeys;
  const post = { method: "POST", path: "/pos-payment-request", headers: demo.headers };
  const poll = { method: "GET", path: "/next-message", headers: terminal };
  return [
    { way: "gateway", url: `${terminalsUrl}${poll.path}`, ...poll },
    { way: "gateway", url: `${partnersUrl}${post.path}`, ...post },
    { way: "host", url: `${functionsUrl}${poll.path}`, ...poll, headers: { ...terminal, "x-functions-key": keys.terminals } },
    { way: "host", url: `${functionsUrl}${post.path}`, ...post, headers: { ...post.headers, "x-functions-key": keys.partners } },
  ]; // prettier-ignore
}

async function measure(stack: StackFile, bytes: number, tell: Tell) {
  const rows: (readonly [string, string, string, string, string, number, number, number])[] = [];
  for (const { way, path, ...one } of uploads(stack)) {
    for (const isChunked of [true, false]) {
      const before = { gateway: await memoryOf("gateway"), host: await memoryOf("host") };
      let most = before;
      const uploading = { isDone: false };
      const watch = (async () => {
        while (!uploading.isDone) {
          const now = { gateway: await memoryOf("gateway"), host: await memoryOf("host") };
          most = { gateway: Math.max(most.gateway, now.gateway), host: Math.max(most.host, now.host) };
        }
      })();
      const { status = "no answer", taken } = await upload({ ...one, bytes, isChunked });
      uploading.isDone = true;
      await watch;
      const grown = (part: Part) => round((most[part] - before[part]) / MB);
      const how = isChunked ? "chunked" : "announced";
      const took = round(taken / MB);
      rows.push([way, one.method, path, how, String(status), took, grown("gateway"), grown("host")]);
      tell(`${way} ${one.method} ${path} ${how}: ${status}`);
    }
  }
  return rows;
}

/** The memory cost of endless uploads. */
export const endlessUploads = defineBench({
  means: "the memory that endless uploads cost gateway and host, and how much of them is read",
  options: { megabytes: whole(300, "megabytes of each upload") },
  async run({ megabytes }, tell) {
    await buildApp();
    const directory = await mkdtemp(join(tmpdir(), "endless-uploads-"));
    const stack = await startStack({ ports: "free", directory });
    try {
      const rows = await measure(stack.file, megabytes * MB, tell);
      const columns = ["to", "method", "path", "body", "status", "took MB", "gateway +MB", "host +MB"];
      const figures = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
      return { tables: [{ title: `Uploads of ${megabytes} MB`, columns, rows }], figures };
    } finally {
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
});
