import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { samplePayment } from "../../first-payment.ts";
import { startLive, type Live } from "../../live/live.ts";
import { lanes } from "../../live/views/lanes.ts";
import type { PaymentDetail } from "../../live/views/payments.ts";
import type { PreviewView } from "../../live/views/resolve.ts";
import type { Snapshot } from "../../live/views/snapshot.ts";
import { startStack, type Stack } from "../../stack/stack.ts";

// The live page's server on a running stack, by its addresses.

let directory: string;
let live: Live;
let stack: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "live-page-"));
  live = await startLive({ port: 0 });
  stack = await startStack({ ports: "free", directory, paceMs: 20, ...live.watching });
  live.show(stack);
});
afterAll(async () => {
  await live.leave();
  await stack?.stop();
  await live.stop();
  await rm(directory, { recursive: true, force: true });
});

const read = async <Result>(path: string): Promise<Result> =>
  (await (await fetch(new URL(path, live.url))).json()) as Result;

const sent = (path: string, body: object, method: "POST" | "DELETE" = "POST") =>
  fetch(new URL(path, live.url), { method, body: JSON.stringify(body) });

async function act(...wish: Parameters<typeof sent>): Promise<void> {
  const response = await sent(...wish);
  expect([response.status, await response.text()]).toEqual([200, "{}"]);
}

/** The data of a page that opens now. */
async function snapshot(): Promise<Snapshot> {
  const opened = await fetch(new URL("stream", live.url));
  let text = "";
  for await (const chunk of opened.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, data] = /^event: snapshot\ndata: (.*)\n\n/.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data) as Snapshot;
  }
  throw new Error("the stream ended before its snapshot");
}

const file = () => {
  if (!stack) throw new Error("no stack runs");
  return stack.file;
};

/** Requests a payment whose webhooks go to the partner's own address. Resolves with its session once it has this status. */
async function paid(status = "authorized", amount?: number): Promise<string> {
  const { responseWebhookUrl: _, ...sample } = samplePayment(file(), amount);
  const body = { ...sample, captureMode: "manual" };
  const { baseUrl, demo } = file();
  const send = async () =>
    (
      await fetch(`${baseUrl}/pos-payment-request`, {
        method: "POST",
        headers: demo.headers,
        body: JSON.stringify(body),
      })
    ).status;
  await expect.poll(send).toBe(202); // the terminal has come online
  const statusOf = async () => (await snapshot()).payments.find((one) => one.sessionId === body.sessionID)?.status;
  await expect.poll(statusOf).toBe(status);
  return body.sessionID;
}

/** The sentence of the page server's refusal. */
async function refusalOf(path: string, body: object): Promise<string> {
  const refused = await sent(path, body);
  expect(refused.status).toBe(422);
  return refused.text();
}

const previewOf = async (id: string, said: object): Promise<PreviewView> =>
  (await (await sent(`payments/${id}/preview`, said)).json()) as PreviewView;

const detailOf = (session: string) => {
  const { partnerID, terminals } = file().demo;
  return read<PaymentDetail>(`payments/${partnerID}/${terminals.autopilot.pointOfServiceID}/${session}`);
};
const webhooksOf = async (session: string) =>
  (await snapshot()).webhooks.filter(({ sessionId }) => sessionId === session);

it("shows a payment with its path through every lane, its webhooks and its calls", async () => {
  const session = await paid();
  await expect
    .poll(async () => new Set((await detailOf(session)).lanes.map(({ lane }) => lane)))
    .toEqual(new Set(lanes));
  await expect.poll(async () => (await webhooksOf(session)).map(({ type }) => type)).toContain("payment.authorized");
  for (const webhook of await webhooksOf(session))
    expect(webhook).toMatchObject({ isSignatureValid: true, answer: 200 });

  const detail = await detailOf(session);
  expect(detail).toMatchObject({ amount: 12_550, status: "authorized", charges: [{ amount: 12_550 }] });
  expect(detail.story.join("\n")).toContain("It is authorized: ");
  const calls = (await snapshot()).calls.filter(({ sessionId }) => sessionId === session);
  const call = calls.find(({ status }) => status === 202);
  expect(call).toMatchObject({ api: "partners", operation: "pos-payment-request" });
  const { curl } = await read<{ curl: string }>(`calls/${call?.id}`);
  expect(curl).toContain(`'${file().baseUrl}/pos-payment-request'`);
});

it("shows when a failed webhook is retried or that it is given up, and can send it again", async () => {
  await act("receiver", { answer: "500" });
  const session = await paid();
  const failed = async () => (await webhooksOf(session)).find(({ type }) => type === "payment.authorized");
  await expect.poll(async () => (await failed())?.nextAt).toBeGreaterThan(Date.now());
  await act("receiver", { answer: "410" });
  await act(`webhooks/${(await failed())?.id}/resend`, {});
  await expect.poll(async () => (await failed())?.isGivenUp).toBe(true);
  await act("receiver", { answer: "200" });
  await act(`webhooks/${(await failed())?.id}/resend`, {});
  const delivered = async () =>
    (await webhooksOf(session)).filter(({ answer }) => answer === 200).map(({ type }) => type);
  await expect.poll(delivered).toContain("payment.authorized");
});

const who = { by: "ada-of-night-shift", why: "the acquirer's list of tonight" };

it("continues while the tables are away, and records an operator's decision once they are back", async () => {
  const session = await paid();
  const before = await detailOf(session);
  await act("faults", { service: "tables", kind: "away", seconds: 60 });
  expect((await snapshot()).faults).toMatchObject([{ target: "all tables", kind: "away" }]);
  expect(await detailOf(session)).toMatchObject({ status: "authorized", changes: before.changes });
  const said = { of: "payment", outcome: "paid", amount: 50, ...who };
  expect(await refusalOf(`payments/${before.id}/preview`, said)).toContain("The tables do not respond.");

  await act("faults", {}, "DELETE");
  expect((await snapshot()).faults).toEqual([]);
  const preview = await previewOf(before.id, said);
  expect(preview.sentences.join(" ")).toMatch(/from authorized to captured.* 50\.00 SEK/);
  expect(await detailOf(session)).toMatchObject({ status: "authorized", changes: before.changes }); // a preview writes nothing
  await act(`payments/${before.id}/resolve`, { sequence: preview.sequence, said });
  await expect.poll(async () => (await detailOf(session)).status).toBe("captured");
  const { changes, captured, held, money } = await detailOf(session);
  expect(changes.at(-1)).toMatchObject({ what: expect.stringContaining("An operator"), operator: who });
  expect({ captured, held, money }).toEqual({
    captured: 5_000,
    held: 5_000,
    money: expect.stringContaining("50.00 SEK"),
  });

  await expect.poll(async () => (await webhooksOf(session)).map(({ type }) => type)).toContain("payment.captured");
  const { baseUrl, demo } = file();
  const answer = await fetch(`${baseUrl}/pos-payment/${session}`, { headers: demo.headers });
  expect(answer.status).toBe(200);
  const isRead = async () => (await snapshot()).calls.some((one) => one.sessionId === session && one.status === 200);
  await expect.poll(isRead).toBe(true);
  const { calls, webhooks } = await snapshot();
  const shown = await Promise.all(calls.map(({ id }) => read(`calls/${id}`)));
  for (const word of Object.values(who)) expect(JSON.stringify([calls, webhooks, shown])).not.toContain(word);
});

it("does nothing to a payment that has changed since the preview, and shows the new consequences", async () => {
  const session = await paid("authorized", 125.11); // its capture fails
  const { id } = await detailOf(session);
  const said = { of: "payment", outcome: "unpaid", ...who };
  const seen = await previewOf(id, said);
  expect(seen.sentences.join(" ")).toMatch(/void of 125\.11 SEK/i);
  const { pointOfServiceID } = file().demo.terminals.autopilot;
  await act("till/pos-payment-capture", {
    sessionID: session,
    pointOfServiceID,
    msgType: "paymentCapture",
    captureAmount: 50,
  });
  const changesOf = async () => (await detailOf(session)).changes;
  await expect.poll(async () => (await changesOf()).at(-1)?.what).toMatch(/the capture failed/);

  const before = await changesOf();
  const moved = await sent(`payments/${id}/resolve`, { sequence: seen.sequence, said });
  expect(await moved.json()).toMatchObject({
    sequence: before.at(-1)?.sequence,
    sentences: expect.arrayContaining([...seen.sentences]),
  });
  expect(await changesOf()).toEqual(before);

  const asPaid = { ...said, outcome: "paid" };
  expect(await refusalOf(`payments/${id}/preview`, asPaid)).toBe(
    "The amount is required: 125.11 SEK or 50.00 SEK is possible.",
  );
  const part = await previewOf(id, { ...asPaid, amount: 50 });
  expect(part.sentences).toContain("The merchant then has 50.00 SEK from this payment. Now it has 0.00 SEK.");
  await act(`payments/${id}/resolve`, { sequence: part.sequence, said: { ...asPaid, amount: 50 } });
  await expect.poll(async () => (await changesOf()).at(-1)?.operator).toEqual(who);
});
