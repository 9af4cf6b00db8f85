import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesOf } from "../../../../infra/tools/lines.ts";
import { findStack } from "../../stack/directories.ts";
import { samplePayment } from "../../first-payment.ts";
import { startStack } from "../../stack/stack.ts";
import type { StackFile } from "../../stack/stack-file.ts";
import { skippedIf } from "../../../../test/support/skipped.ts";

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "a-stack-"))));
afterEach(() => rm(directory, { recursive: true, force: true }));

it("leaves no process behind when one part cannot start", async () => {
  const queueOverrides = { lockDuration: "a while" };
  await expect(startStack({ ports: "free", directory, queueOverrides })).rejects.toThrow(/^the Service Bus ended/);
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain("ProcessWrap");
});

it("is found while it runs, and leaves nothing of an earlier run in its logs", async () => {
  await mkdir(join(directory, "logs"), { recursive: true });
  await writeFile(join(directory, "logs", "tables.log"), "an earlier run");
  await writeFile(join(directory, "stack.json"), "an earlier run");
  const ready: string[] = [];
  const stack = await startStack({ ports: "free", directory, onReady: (part) => ready.push(part) });
  try {
    expect(ready.toSorted()).toEqual(["functions", "gateway", "mails", "service bus", "tables"]);
    expect(await findStack(undefined, directory)).toEqual(stack.file);
    expect(await readFile(join(directory, "logs", "tables.log"), "utf8")).not.toContain("an earlier run");
  } finally {
    await stack.stop();
  }
  await expect(findStack(undefined, directory)).rejects.toThrow("No stack is running here");
});

const isWindows = process.platform === "win32";

describe.skipIf(isWindows)(`a stack whose parent is killed${skippedIf(isWindows, "Windows has no ps")}`, () => {
  let parent: ChildProcess;
  let parts: readonly number[] = [];
  beforeEach(() => {
    const script = fileURLToPath(new URL("fixtures/stack-parent.ts", import.meta.url));
    parent = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  });
  afterEach(() => {
    parent.kill("SIGKILL");
    for (const pid of parts.filter(isRunning)) process.kill(pid, "SIGKILL");
  });

  const killParent = async () => {
    parts = childrenOf(parent.pid);
    parent.kill("SIGKILL");
    await once(parent, "exit");
  };
  const allGone = async () => {
    await expect.poll(() => parts.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  };

  it("leaves no process behind, not even one that waits for a partner's server", async () => {
    const called = Promise.withResolvers<void>();
    const server = createServer(() => called.resolve()); // and never responds
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      const said = linesOf(parent.stdout ?? process.stdin).next();
      const failed = once(parent, "exit").then(() => Promise.reject(new Error("the stack did not start")));
      failed.catch(() => {}); // it is ended below, too
      const { value: line } = await Promise.race([said, failed]);
      const file = JSON.parse(line ?? "") as StackFile;
      const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await expect.poll(() => statusOfPayment(file, webhookUrl)).toBe(202); // the terminal has come online
      await called.promise;
      await killParent();
      expect(parts).toHaveLength(7); // tables, bus, mails, two hosts and the proxy in front of them, gateway
      await allGone();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("leaves no process behind while it still starts", async () => {
    await expect.poll(() => childrenOf(parent.pid).length).toBeGreaterThan(0);
    await killParent();
    await allGone();
  });
});

async function statusOfPayment(file: StackFile, webhookUrl: string): Promise<number> {
  const body = JSON.stringify(samplePayment(file, 125.5, webhookUrl));
  return (await fetch(`${file.baseUrl}/pos-payment-request`, { method: "POST", headers: file.demo.headers, body }))
    .status;
}

const childrenOf = (pid: number | undefined): number[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)
    .filter(isRunning);

/** A process that has ended, but whose parent has not collected it yet, is not running. */
function isRunning(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}
