import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { samplePayment } from "../../infra/local/first-payment.ts";
import type { StackFile } from "../../infra/local/stack-file.ts";

let directory: string;
let parent: ChildProcess | undefined;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "kept-"))));
afterEach(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

interface Started {
  readonly file: StackFile;
  readonly announcedAgain?: number;
}

async function start(): Promise<Started> {
  const keep = join(directory, "kept");
  await mkdir(keep, { recursive: true });
  const script = fileURLToPath(new URL("fixtures/kept-stack.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", script, join(directory, "stack"), keep];
  parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true }); // leads a group of its own
  for await (const line of createInterface({ input: parent.stdout ?? process.stdin }))
    return JSON.parse(line) as Started;
  throw new Error("the stack did not start");
}

/** Ends the parent and all parts at the same instant, as a power cut does. */
async function killAll(): Promise<void> {
  if (parent?.pid === undefined || parent.exitCode !== null || parent.signalCode !== null) return;
  process.kill(-parent.pid, "SIGKILL");
  await once(parent, "exit");
}

/** Requests a payment as soon as the terminal is online. Resolves with its session. */
async function request(file: StackFile, pointOfServiceID: string): Promise<string> {
  const sent = { ...samplePayment(file), pointOfServiceID, captureMode: "automatic" };
  const { headers } = file.demo;
  const url = `${file.partnersUrl}/pos-payment-request`;
  const status = async () => (await fetch(url, { method: "POST", headers, body: JSON.stringify(sent) })).status;
  await expect.poll(status).toBe(202);
  return sent.sessionID;
}

/** The silent terminal comes online by one poll. */
const pollOnce = ({ terminalsUrl, demo }: StackFile) =>
  fetch(`${terminalsUrl}/next-message?wait=0`, { headers: { "x-terminal-key": demo.terminals.silent.terminalKey } });

async function payment({ partnersUrl, demo }: StackFile, session: string) {
  const response = await fetch(`${partnersUrl}/pos-payment/${session}`, { headers: demo.headers });
  return (await response.json()) as { readonly status: string; readonly chargeID?: string };
}

it.skipIf(process.platform === "win32")(
  "has its payments again after a kill of the whole stack, and ends those that were open",
  async () => {
    const { file: before } = await start();
    const { autopilot, silent } = before.demo.terminals;
    const paid = await request(before, autopilot.pointOfServiceID);
    await expect.poll(async () => (await payment(before, paid)).status).toBe("captured");
    const captured = await payment(before, paid);
    expect((await pollOnce(before)).status).toBe(204);
    const open = await request(before, silent.pointOfServiceID);
    await killAll();

    const { file: after, announcedAgain } = await start();
    expect(after.demo).toEqual(before.demo);
    expect(announcedAgain).toBeGreaterThan(0);
    expect(await payment(after, paid)).toEqual(captured);
    await expect.poll(async () => (await payment(after, open)).status).toBe("expired");
  },
);
