import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { buildModule, clientFolder } from "../../clients/common/build.ts";
import { freePort } from "../../infra/local/common/free-ports.ts";
import { sampleEvents } from "../../shared/contracts/examples/sample-events.ts";
import { partnerFor } from "../support/partner.ts";
import { root } from "../support/rooms.ts";
import { waitFor } from "../support/wait-for.ts";

const { partner } = partnerFor("sample receiver");
const { baseUrl, demo } = inject("stack");
const port = String(await freePort());
const started: ChildProcess[] = [];
let printed = "";
const prints = (line: RegExp) =>
  waitFor(`the line ${String(line)}`, async () => printed, {
    until: (all) => line.test(all),
    show: () => printed.slice(-400),
  });

/** A file of examples/receiver as its README has it run, with this test's keys in the place of demo.env. */
function run(file: string): ChildProcess {
  const child = spawn(process.execPath, [join(root, "examples/receiver", file)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      BASE_URL: baseUrl,
      APIKEY: partner.apikey,
      SUBSCRIPTION_KEY: demo.subscriptionKey,
      MERCHANT_ID: partner.merchantID,
      TERMINAL_ID: partner.terminals.autopilot.pointOfServiceID,
      WEBHOOK_SECRETS: `whsec_${"A".repeat(44)} ${partner.webhookSecret}`, // as while a secret is rotated
      WEBHOOK_PORT: port,
    },
  });
  started.push(child);
  return child;
}

beforeAll(async () => {
  await buildModule(clientFolder("partners"));
  const receiver = run("receiver.ts");
  receiver.stdout?.on("data", (data: Buffer) => void (printed += data.toString()));
  await prints(/Receives webhooks/);
});
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, "exit");
  }
});

/** Sends the receiver a webhook as the platform would; resolves with the status. */
async function send(sequence: number, secret = partner.webhookSecret): Promise<number> {
  const id = `${sampleEvents.payment.data.sessionID}_${sequence}`;
  const body = JSON.stringify({ ...sampleEvents.payment, id, sequence });
  const now = new Date();
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, now, body),
  };
  return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })).status;
}

it("the sample payment's webhooks arrive at the sample receiver, verified", async () => {
  const pay = run("pay.ts");
  if (!pay.stdout) throw new Error("no output");
  const [sessionID = "", status] = (await text(pay.stdout)).trim().split(": ");
  expect(status).toBe("pending");
  await prints(new RegExp(`payment.captured ${sessionID}_\\d+_\\S+: captured`));
});

it("the sample receiver takes an event once, notices a late one, and rejects a forged one", async () => {
  expect([await send(5), await send(5), await send(4)]).toEqual([204, 204, 204]);
  const lines = () => printed.split("\n").filter((line) => line.includes(sampleEvents.payment.data.sessionID));
  await waitFor("three lines", async () => lines(), { until: ({ length }) => length === 3 });
  expect(lines().map((line) => line.split(" ").at(-1))).toEqual([sampleEvents.payment.data.status, "again", "late"]);
  expect(await send(6, `whsec_${"B".repeat(44)}`)).toBe(400);
  expect(lines()).toHaveLength(3);
});
