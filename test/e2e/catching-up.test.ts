import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, inject, it, onTestFinished } from "vitest";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import type { PaymentObject } from "../../shared/contracts/objects/payment.ts";
import { partnerFor } from "../support/partner.ts";
import { read as readPage } from "../support/pages.ts";
import { LONG, waitFor } from "../support/wait-for.ts";

// A partner whose server was down catches up with the code of the client's README. The code is run as it is printed there.

const { cancel, capture, onAutopilot, partner, pay, read, refund, request, send, silent, until } =
  partnerFor("catching up");
const stack = inject("stack");
/** No server listens there. */
const responseWebhookUrl = "http://127.0.0.1:1/away";

/** The code block of the README's section. It must have at most ten lines without its comments. */
function printedCode(): string {
  const [, section = ""] = readPage("clients/partners/README.md").split("\n## Catching up\n");
  const [, code = ""] = /^```ts\n([\s\S]*?)^```/m.exec(section) ?? [];
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !/^\s*\/[/*]/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(10);
  return code;
}

/**
 * The partner's program around the printed code. It stores each processed event in a file. With `KILLED_AFTER` it dies while it processes
 * that event, as in a power cut.
 */
const program = (client: string): string => `
import { appendFile } from "node:fs/promises";
import { partnersClient } from ${JSON.stringify(client)};
import { follow } from "./follow.ts";
const { BASE_URL: baseUrl, APIKEY: apikey, SUBSCRIPTION_KEY: subscriptionKey, KILLED_AFTER } = process.env;
let dealt = 0;
await follow(partnersClient({ baseUrl, apikey, subscriptionKey }), async (event) => {
  if (++dealt > Number(KILLED_AFTER ?? Infinity)) process.kill(process.pid, "SIGKILL");
  await appendFile("dealt", JSON.stringify(event) + "\\n");
});
`;

/** The partner's process in a directory of its own. */
async function aFollower() {
  const directory = await mkdtemp(join(tmpdir(), "catching-up-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, "follow.ts"), printedCode());
  const client = pathToFileURL(fileURLToPath(new URL("../../clients/partners/index.ts", import.meta.url))).href;
  await writeFile(join(directory, "main.ts"), program(client));
  await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(directory, "node_modules"));
  const { subscriptionKey } = stack.demo;
  const env = {
    ...process.env,
    BASE_URL: stack.baseUrl,
    APIKEY: partner.apikey,
    SUBSCRIPTION_KEY: subscriptionKey,
  };
  const start = (more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, ["main.ts"], {
      cwd: directory,
      env: { ...env, ...more },
      stdio: ["ignore", "ignore", "inherit"],
    });
  return {
    start,
    /** Runs until it is killed while it processes the event after this many. */
    async runUntilKilled(after: number): Promise<void> {
      const [, signal] = (await once(start({ KILLED_AFTER: String(after) }), "exit")) as [number | null, string | null];
      expect(signal).toBe("SIGKILL");
    },
    cursor: () => readFile(join(directory, "cursor"), "utf8").catch(() => undefined),
    /** The processed events in order. */
    async dealt(): Promise<{ readonly id: string; readonly data: PaymentObject }[]> {
      const text = await readFile(join(directory, "dealt"), "utf8").catch(() => "");
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      return whole
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { id: string; data: PaymentObject });
    },
  };
}

/** Makes a sale on the autopilot's terminal, of alternating kinds; returns its session. */
async function sellsOnAutopilot(number: number): Promise<string> {
  const isManual = number % 4 === 0;
  const body = onAutopilot({ responseWebhookUrl, ...(!isManual && { captureMode: "automatic" }) });
  expect(await pay(body)).toMatchObject({ status: 202 });
  if (isManual) {
    await until(body.sessionID, "authorized");
    await capture(body);
  }
  await until(body.sessionID, "captured");
  if (number % 3 === 0) await refund(body, 25.5);
  return body.sessionID;
}

/** Makes a sale on the other terminal, alternately cancelled, declined or approved. */
async function sellsByHand(number: number): Promise<string> {
  await silent.online();
  const body = request({ responseWebhookUrl, captureMode: "automatic", expiresInSeconds: 120 });
  expect(await pay(body)).toMatchObject({ status: 202 });
  const message = await silent.begin(body.sessionID);
  if (number % 3 === 0) {
    await cancel(body);
    await silent.sendReport(await silent.reach("cancel", body.sessionID), "cancelled");
  } else await silent.sendReport(message, number % 3 === 1 ? "declined" : "authorized");
  await until(body.sessionID, "cancelled", "declined", "captured");
  return body.sessionID;
}

/** This many sales, one after the other. */
async function sales(count: number, sell: (number: number) => Promise<string>): Promise<string[]> {
  const sessions: string[] = [];
  while (sessions.length < count) sessions.push(await sell(sessions.length));
  return sessions;
}

/** Every event of the feed, read page by page. */
async function idsInFeed(): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const query = after === undefined ? "" : `?${new URLSearchParams({ after }).toString()}`;
    const { body } = await send<EventPageObject>("GET", `/events${query}`);
    ids.push(...body.events.map(({ id }) => id));
    if (body.next === after) return ids;
    after = body.next;
  }
}

it("a partner whose server was down catches up with the README's code, even if the code is killed on the way", async () => {
  const made = await Promise.all([sales(36, sellsOnAutopilot), sales(15, sellsByHand)]);
  const sessions = made.flat();
  const follower = await aFollower();

  await follower.runUntilKilled(10);
  expect(await follower.cursor()).toBeUndefined();
  await follower.runUntilKilled(105);
  expect(await follower.cursor()).toBeDefined();

  const last = follower.start();
  onTestFinished(() => void last.kill());
  const states = async () => new Map((await follower.dealt()).map(({ data }) => [data.sessionID, data]));
  let lacking: object = {};
  const all = async () => {
    const seen = await states();
    for (const sessionID of sessions) {
      const payment = await read(sessionID);
      const isDue = !payment.final || payment.refunds?.some(({ status }) => status === "pending");
      lacking = { payment, seen: seen.get(sessionID)?.sequence };
      if (isDue || seen.get(sessionID)?.sequence !== payment.sequence) return undefined;
    }
    return seen;
  };
  const final = await waitFor("the last event of every payment", all, { ...LONG, show: () => lacking });
  expect(final.size).toBe(sessions.length);
  for (const sessionID of sessions) expect(final.get(sessionID)).toEqual(await read(sessionID));

  const ids = (await follower.dealt()).map(({ id }) => id);
  expect(new Set(ids)).toEqual(new Set(await idsInFeed()));
  // The third run continued from the cursor of the second run, and not from the oldest event.
  expect(ids.slice(10 + 105)).not.toContain(ids[0]);
});
