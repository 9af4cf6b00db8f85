import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { linesOf } from "../../../../infra/tools/lines.ts";
import { samplePayment } from "../../first-payment.ts";
import type { TerminalAction } from "../../live/views/terminals.ts";
import { openKept, terminalMemory } from "../../stack/kept.ts";
import type { DemoTerminal } from "../../../../infra/operator/common/seed.ts";
import type { StackFile } from "../../stack/stack-file.ts";
import { dayInUtc } from "../../../terminal/simulated/business-day.ts";
import type { TerminalDayObject } from "../../../../shared/contracts/objects/terminal-day.ts";
import { skippedIf } from "../../../../test/support/skipped.ts";

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
  parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], detached: true }); // leads its own process group
  for await (const line of linesOf(parent.stdout ?? process.stdin)) return JSON.parse(line) as Started;
  throw new Error("the stack did not start");
}

/** Ends the parent and all parts at the same instant, like a power cut. */
async function killAll(): Promise<void> {
  if (parent?.pid === undefined || parent.exitCode !== null || parent.signalCode !== null) return;
  process.kill(-parent.pid, "SIGKILL");
  await once(parent, "exit");
}

/** Requests a payment as soon as the terminal is online. Resolves with its session. */
async function request(file: StackFile, pointOfServiceID: string, total?: number): Promise<string> {
  const sent = { ...samplePayment(file, total), pointOfServiceID, captureMode: "automatic" };
  const { headers } = file.demo;
  const url = `${file.baseUrl}/pos-payment-request`;
  const status = async () => (await fetch(url, { method: "POST", headers, body: JSON.stringify(sent) })).status;
  await expect.poll(status).toBe(202);
  return sent.sessionID;
}

/** Brings the silent terminal online by one poll. */
const pollOnce = ({ terminalsUrl, demo }: StackFile) =>
  fetch(`${terminalsUrl}/next-message?wait=0`, { headers: { "x-terminal-key": demo.terminals.silent.terminalKey } });

async function payment({ baseUrl, demo }: StackFile, session: string) {
  const response = await fetch(`${baseUrl}/pos-payment/${session}`, { headers: demo.headers });
  return (await response.json()) as { readonly status: string; readonly chargeID?: string };
}

async function captured(file: StackFile, session: string): Promise<void> {
  await expect.poll(async () => (await payment(file, session)).status).toBe("captured");
}

/** Performs an action at the terminal on the counter, as soon as it is possible there. */
async function atCounter({ live, demo }: StackFile, action: TerminalAction): Promise<void> {
  const url = `${live}terminals/${demo.terminals.counter?.pointOfServiceID}`;
  await expect.poll(async () => (await fetch(url, { method: "POST", body: JSON.stringify(action) })).status).toBe(200);
}

/** Waits until the terminal's day is closed. Resolves with the terminal's totals. */
async function closedDay({ baseUrl, demo }: StackFile, terminal: DemoTerminal | undefined) {
  const url = `${baseUrl}/pointOfServices/${terminal?.pointOfServiceID}/days/${dayInUtc()}`;
  const read = async () => (await (await fetch(url, { headers: demo.headers })).json()) as Partial<TerminalDayObject>;
  await expect.poll(read).toMatchObject({ status: "closed", differences: [] });
  return (await read()).terminalTotals;
}

const isWindows = process.platform === "win32";
const because = skippedIf(isWindows, "Windows cannot kill a group of processes");

it.skipIf(isWindows)(
  `has its payments again after a kill of the whole stack, and ends the open ones${because}`,
  async () => {
    const { file: before } = await start();
    const { autopilot, silent } = before.demo.terminals;
    const paid = await request(before, autopilot.pointOfServiceID);
    await captured(before, paid);
    const asItWas = await payment(before, paid);
    expect((await pollOnce(before)).status).toBe(204);
    const open = await request(before, silent.pointOfServiceID);
    await killAll();

    const { file: after, announcedAgain } = await start();
    expect(after.demo).toEqual(before.demo);
    expect(announcedAgain).toBeGreaterThan(0);
    expect(await payment(after, paid)).toEqual(asItWas);
    await expect.poll(async () => (await payment(after, open)).status).toBe("expired");
  },
);

it.skipIf(isWindows)(
  `closes a day that began before the kill with everything that its terminals took, on autopilot and at the counter${because}`,
  async () => {
    const { file: before } = await start();
    const { autopilot, counter } = before.demo.terminals;
    await captured(before, await request(before, autopilot.pointOfServiceID));
    const byHand = await request(before, counter?.pointOfServiceID ?? "");
    await atCounter(before, { do: "tap" });
    await captured(before, byHand);
    await killAll();

    const { file: after } = await start();
    await captured(after, await request(after, autopilot.pointOfServiceID, 100.2)); // an amount after which the autopilot closes its day
    await atCounter(after, { do: "closeDay" });
    expect(await closedDay(after, autopilot)).toMatchObject([{ captures: 2, captured: 225.7 }]);
    expect(await closedDay(after, counter)).toMatchObject([{ captures: 1, captured: 125.5 }]);
  },
);

it("deletes its terminals' totals together with all other stored data", async () => {
  const terminal = { pointOfServiceID: "a terminal", terminalKey: "its key" };
  const [earlier, isKept] = [
    terminalMemory(directory, terminal),
    () => terminalMemory(directory, terminal).memory.isKept,
  ];
  earlier.memory.isKept = true;
  earlier.save();
  await openKept(directory, { fresh: false });
  expect(isKept()).toBe(true);
  await openKept(directory, { fresh: true });
  expect(isKept()).toBe(false);
});
