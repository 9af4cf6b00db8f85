import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";
import { sampleEvents } from "../../infra/documents/openapi/samples/sample-events.ts";
import { startFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { largestEvent } from "../support/largest-event.ts";
import { languages, withoutShell, type Mode } from "../support/languages.ts";
import { listening } from "../../packages/local-azure/common/test/listening.ts";
import { partnerFor } from "../support/partner.ts";
import { laterPlatform, newEvent, NEW_VALUE, richer, schemaNamed } from "../support/richer-examples.ts";
import { root } from "../support/rooms.ts";
import { longBody, peakMemory, statusFor, withoutMemory, wrongHeaders } from "../support/strangers.ts";
import { waitFor } from "../support/wait-for.ts";

// The programs of the integration guide, as it prints them, in each of its languages.

const { partner, send: sendTo } = partnerFor("sample receiver");
const { baseUrl, demo } = inject("stack");
const { sessionID } = sampleEvents.payment.data;

/** The settings of demo.env, with this test's values. */
const settings = (baseUrl: string, port = "4242") => ({
  BASE_URL: baseUrl,
  APIKEY: partner.apikey,
  SUBSCRIPTION_KEY: demo.subscriptionKey,
  MERCHANT_ID: partner.merchantID,
  TERMINAL_ID: partner.terminals.autopilot.pointOfServiceID,
  WEBHOOK_SECRETS: `whsec_${"A".repeat(44)} ${partner.webhookSecret}`, // two secrets, as during a rotation
  WEBHOOK_PORT: port,
});

/** A gateway that loses its first response to a payment request, although the request was carried out. */
async function losingGateway(): Promise<FaultProxy & { readonly url: string; readonly requests: string[] }> {
  const gateway = new URL(baseUrl);
  const requests: string[] = [];
  const proxy = await startFaultProxy({
    targetPort: Number(gateway.port),
    onRequest: ({ path, body }) => {
      if (!path.endsWith("/pos-payment-request")) return "pass";
      requests.push(body);
      return requests.length === 1 ? "drop-response" : "pass";
    },
  });
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}`, requests };
}

/** "there" if a server listens on the port. */
async function listens(port: string): Promise<"there" | "absent"> {
  const socket = connect(Number(port), "127.0.0.1");
  const found = await once(socket, "connect").then(
    () => "there" as const,
    () => "absent" as const,
  );
  socket.destroy();
  return found;
}

/** A webhook's headers, as the platform writes them. */
function signed(id: string, body: string, secret = partner.webhookSecret): Record<string, string> {
  const now = new Date();
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, now, body),
  };
}

// With `%s`, because vitest cuts `$name` after 40 characters, and the reason of a skip is at its end.
const named = languages.map((language) => [language.name, language] as const);

describe.each(named)("the guide's programs in %s", (_, { isSkipped, borrowsReceiver, prepare, command }) => {
  let folder: string;
  let port: string;
  let receiver: ChildProcess;
  let printed = "";

  const env = (url: string) => ({ ...process.env, ...settings(url, port) });
  const run = (mode: Mode, url: string) => {
    const [file = "", ...args] = command(mode, folder);
    return promisify(execFile)(file, args, { env: env(url) });
  };
  const prints = (line: RegExp) =>
    waitFor(`the line ${String(line)}`, async () => printed, {
      until: (all) => line.test(all),
      show: () => printed.slice(-400),
    });

  beforeAll(async () => {
    if (isSkipped) return;
    folder = await mkdtemp(join(tmpdir(), "sample-programs-"));
    await prepare(folder);
    port = String(await freePort());
    const [file = "", ...args] = command("receive", folder);
    receiver = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env: env(baseUrl) });
    for (const stream of [receiver.stdout, receiver.stderr])
      stream?.on("data", (data: Buffer) => void (printed += data.toString()));
    const show = () => printed.slice(-400);
    await waitFor("the receiver", () => listens(port), { until: (found) => found === "there", show });
  }, 120_000);
  afterAll(async () => {
    if (receiver?.exitCode === null && receiver.signalCode === null) {
      receiver.kill();
      await once(receiver, "exit");
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function send(event: { readonly id: string }, secret?: string): Promise<number> {
    const body = JSON.stringify(event);
    const headers = signed(event.id, body, secret);
    return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })).status;
  }
  const numbered = (sequence: number) => ({ ...sampleEvents.payment, id: `${sessionID}_${sequence}`, sequence });

  it.skipIf(isSkipped)("request a payment once even if a response is lost, and verify its webhooks", async () => {
    const gateway = await losingGateway();
    try {
      const { stdout } = await run("pay", gateway.url);
      const [paid = "", status] = stdout.trim().split(": ");
      expect(["pending", "inProgress", "captured"]).toContain(status); // our client repeats by itself, and prints the first response
      const [first, second, ...more] = gateway.requests;
      expect([second, more]).toEqual([first, []]);
      await prints(new RegExp(`payment.captured ${paid}_\\d+_\\S+: captured`));
    } finally {
      await gateway.close();
    }
  });

  it.skipIf(isSkipped)("take a test of webhooks", async () => {
    const tested = await sendTo("POST", "/webhook-test", { url: `http://127.0.0.1:${port}/webhooks` });
    expect(tested).toMatchObject({ status: 200, body: { outcome: "delivered" } });
    await prints(/webhook.test test_/);
  });

  it.skipIf(isSkipped)("process an event once, notice a late one, and reject a forged one", async () => {
    expect([await send(numbered(5)), await send(numbered(5)), await send(numbered(4))]).toEqual([204, 204, 204]);
    const lines = () => printed.split("\n").filter((line) => line.includes(` ${sessionID}_`));
    await waitFor("three lines", async () => lines(), { until: ({ length }) => length === 3 });
    const last = lines().map((line) => line.trim().split(" ").at(-1));
    expect(last).toEqual([sampleEvents.payment.data.status, "again", "late"]);
    expect(await send(numbered(6), `whsec_${"B".repeat(44)}`)).toBe(400);
    expect(lines()).toHaveLength(3);
  });

  it.skipIf(isSkipped)("read values, members and event types that no version knows yet", async () => {
    const url = `http://127.0.0.1:${await listening(laterPlatform())}`;
    const { stdout } = await run("read", url);
    expect(stdout).toContain(`: ${NEW_VALUE}`);
    expect(stdout).toContain(`${newEvent.type} ${newEvent.id}`);
    const event = richer({ ...sampleEvents.payment, id: randomUUID(), sequence: 9 }, schemaNamed("PaymentEvent"));
    const known = { ...(event as typeof sampleEvents.payment), type: "payment.authorized" };
    expect([await send(known), await send(newEvent)]).toEqual([204, 204]);
    await prints(new RegExp(`payment.authorized ${known.id}: ${NEW_VALUE}`));
    await prints(new RegExp(`${newEvent.type} ${newEvent.id}`));
  });

  if (borrowsReceiver) return;

  it.skipIf(isSkipped)("take the longest event that the platform may send", async () => {
    const event = largestEvent();
    expect(await send(event)).toBe(204);
    await prints(new RegExp(`${event.type} ${event.id}: `));
  });

  it.skipIf(isSkipped)("prove that the host is theirs by the nonce of a challenge", async () => {
    const challenge = {
      id: randomUUID(),
      type: "webhook.challenge",
      timestamp: new Date(),
      data: { nonce: randomUUID() },
    };
    const body = JSON.stringify(challenge);
    const request = { method: "POST", headers: signed(challenge.id, body), body };
    const response = await fetch(`http://127.0.0.1:${port}/webhooks`, request);
    expect([response.status, await response.text()]).toEqual([200, challenge.data.nonce]);
  });

  it.skipIf(isSkipped)("respond with 400 to wrong headers", async () => {
    const event = numbered(7);
    const body = JSON.stringify(event);
    const right = { ...signed(event.id, body), "content-length": String(Buffer.byteLength(body)) };
    for (const [name, value] of wrongHeaders(Date.now())) {
      const headers = { ...right, [name]: value };
      expect(await statusFor({ port, headers, body: [body] }), `${name}: ${value}`).toBe(400);
    }
    expect(await statusFor({ port, headers: right, body: [body] })).toBe(204);
  });

  it.skipIf(isSkipped)("read 1 MiB of a body, and no more", async () => {
    expect(await statusFor({ port, ...longBody(16, "declared") })).toBe(400);
    expect(await statusFor({ port, ...longBody(17, "declared"), body: [] })).toBe(413);
    expect([411, 413]).toContain(await statusFor({ port, ...longBody(17, "chunked") })); // Python's server reads no chunks
  });

  it.skipIf(isSkipped || withoutMemory !== "")(
    `keep no long body in memory, and process the next event${withoutMemory}`,
    async () => {
      const before = await peakMemory(receiver);
      for (const framing of ["declared", "chunked"] as const) {
        const status = await statusFor({ port, ...longBody(50 * 16, framing) }).catch(() => "lost"); // as the connection ended
        expect([411, 413, "lost"]).toContain(status);
      }
      expect((await peakMemory(receiver)) - before).toBeLessThan(20 * 1024 * 1024);
      expect(await send(numbered(8))).toBe(204);
      expect(printed).not.toMatch(/exception|traceback/i);
    },
  );
});

describe(`the guide's programs for a shell${withoutShell}`, () => {
  const script = (name: string) => join(root, "examples/curl", name);

  it.skipIf(withoutShell !== "")(
    "request a payment once even if a response is lost, and read it to its end",
    async () => {
      const gateway = await losingGateway();
      try {
        const env = { ...process.env, ...settings(gateway.url) };
        const { stdout } = await promisify(execFile)("sh", [script("pay.sh")], { env });
        expect(JSON.parse(stdout)).toMatchObject({ status: "captured", amounts: { captured: 125.5 } });
        expect(new Set(gateway.requests).size).toBe(1);
        expect(gateway.requests).toHaveLength(2);
      } finally {
        await gateway.close();
      }
    },
  );

  it.skipIf(withoutShell !== "")("verify a webhook, and refuse a forged one and wrong headers", async () => {
    const folder = await mkdtemp(join(tmpdir(), "webhook-"));
    try {
      const body = JSON.stringify(sampleEvents.payment);
      await writeFile(join(folder, "body"), body);
      const verify = async (headers: Readonly<Record<string, string>>) => {
        const env = { ...process.env, ...settings(baseUrl) };
        return promisify(execFile)("sh", [script("verify.sh"), ...Object.values(headers), join(folder, "body")], {
          env,
        });
      };
      const right = signed(sampleEvents.payment.id, body);
      await expect(verify(right)).resolves.toBeDefined();
      const forged = signed(sampleEvents.payment.id, body, `whsec_${"B".repeat(44)}`);
      await expect(verify(forged)).rejects.toMatchObject({ code: 1 });
      const command = ["webhook-timestamp", `PATH[$(touch ${folder}/ran)]`] as const; // bash runs it in arithmetic
      for (const [name, value = ""] of [...wrongHeaders(Date.now()), command])
        await expect(verify({ ...right, [name]: value }), `${name}: ${value}`).rejects.toMatchObject({ code: 1 });
      expect(await readdir(folder)).toEqual(["body"]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
