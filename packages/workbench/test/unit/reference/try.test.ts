import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../../functions/endpoints.ts";
import { Refusal } from "../../../live/source.ts";
import { newTry } from "../../../reference/try.ts";
import type { OperationView } from "../../../reference/views/operations.ts";
import type { PaymentView } from "../../../live/views/payments.ts";
import type { TryInput } from "../../../reference/views/try.ts";
import { sampleIds } from "../../../../../infra/documents/openapi/samples/sample-ids.ts";
import { sampleStack } from "../../browser/sample-stack.ts";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
const seen: Seen[] = [];
const uuid = (n: number) => `${String(n).padStart(8, "0")}-aaaa-4000-8000-000000000000`;
const named = { sessionID: "5E551011-0000-4000-8000-000000000001", pointOfServiceID: uuid(9).toUpperCase() };
const accepted = { status: 202, body: JSON.stringify(named) };
let response = accepted;
const gateway = createServer((request, out) => void respond(request, out));
async function respond(request: IncomingMessage, out: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  out.writeHead(response.status, { "x-request-id": "r1" }).end(response.body);
}
let file = sampleStack;
beforeAll(async () => {
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  file = {
    ...file,
    baseUrl: origin,
    terminalsUrl: `${origin}/terminals`,
  };
});
afterAll(() => void gateway.close());

const payment = (status: string, n: number, refunded = 0) =>
  ({ id: `p/${n}`, sessionId: uuid(n), terminalId: uuid(n + 50), status, captured: 100, refunded }) as PaymentView;
const nothing = { payments: () => [], calls: () => [] };
const inputOf = ({ id, fields, body }: OperationView): TryInput => ({
  operation: id,
  fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  body,
});
const operationOf = async (name: string, living: Parameters<typeof newTry>[1] = nothing) => {
  const found = (await newTry(file, living).operations()).find(({ id }) => id === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
};

describe("the operations to try", () => {
  it("are all of the documents, without any remaining sample, and fresh identifiers each time", async () => {
    const { operations } = newTry(file, nothing);
    const [first, second] = [await operations(), await operations()];
    expect(first.map(({ id }) => id).toSorted()).toEqual(endpoints.map(({ contract }) => contract.name).toSorted());
    for (const sample of Object.values(sampleIds)) expect(JSON.stringify(first)).not.toContain(sample);
    const sessionOf = (all: readonly OperationView[]) => all.find(({ id }) => id === "pos-payment-request")?.body;
    expect(sessionOf(first)).not.toBe(sessionOf(second));
  });

  it("name a payment that they can be tried on: the authorized one is captured, the one with money left refunded", async () => {
    const payments = () => [
      payment("declined", 1),
      payment("captured", 2, 100),
      payment("authorized", 3),
      payment("captured", 4),
      payment("inProgress", 5),
    ];
    const living = { ...nothing, payments };
    const sessions = Object.fromEntries(
      await Promise.all(
        ["pos-payment-capture", "pos-payment-refund", "add-discount", "pos-payment-cancel"].map(async (name) => {
          const { body = "{}" } = await operationOf(name, living);
          return [name, (JSON.parse(body) as { sessionID: string }).sessionID] as const;
        }),
      ),
    );
    expect(sessions).toEqual({
      "pos-payment-capture": uuid(3),
      "pos-payment-refund": uuid(4),
      "add-discount": uuid(5),
      "pos-payment-cancel": uuid(3),
    });
    expect((await operationOf("pos-payment", living)).fields[0]?.value).toBe(uuid(1));
  });

  it("say what to do first if no payment fits them", async () => {
    const withOne = (one: PaymentView) => operationOf("pos-payment-capture", { ...nothing, payments: () => [one] });
    expect((await withOne(payment("inProgress", 1))).wanting).toMatch(/No payment is authorized: request one/);
    expect((await withOne(payment("authorized", 1))).wanting).toBeUndefined();
    expect((await operationOf("pos-payment-request")).wanting).toBeUndefined();
  });

  it("request a payment on the autopilot's terminal", async () => {
    const { body = "{}" } = await operationOf("pos-payment-request", {
      ...nothing,
      payments: () => [payment("captured", 1)],
    });
    const { pointOfServiceID } = file.demo.terminals.autopilot;
    expect(JSON.parse(body)).toMatchObject({ pointOfServiceID });
  });

  it("report the start of a terminal without a payment, because another report would raise an alert", async () => {
    const { body = "{}" } = await operationOf("report");
    expect(JSON.parse(body)).toEqual({ reportID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, type: "started" });
  });

  it("report on the message that the silent terminal fetched, not on another terminal's", async () => {
    const fetched = (terminalKey: string, n: number) => ({
      operation: "next-message",
      status: 200,
      requestHeaders: [["X-Terminal-Key", terminalKey]] as const,
      requestBody: "",
      responseBody: JSON.stringify({ messageID: uuid(n), sessionID: uuid(n + 1) }),
    });
    const calls = () => [fetched("another", 10), fetched("sample-silent-key", 20)];
    const { body = "{}" } = await operationOf("report", { ...nothing, calls });
    expect(JSON.parse(body)).toMatchObject({ messageID: uuid(20), sessionID: uuid(21) });
  });

  it("name the members of a body with their choices, and terminals by their names", async () => {
    const { members } = await operationOf("pos-payment-request");
    const member = (path: string) => members.find((one) => one.path === path);
    expect(member("captureMode")?.choices.map(([value]) => value)).toEqual(["manual", "automatic"]);
    expect(member("pointOfServiceID")?.choices.map(([, label]) => label)).toContain("Autopilot");
    expect(member("merchantReferences.orderId")).toMatchObject({ kind: "text", isRequired: false });
    expect(member("totalAmountInclVat")).toMatchObject({ kind: "number", isRequired: true });
    const reports = (await operationOf("report")).members;
    expect(reports.find(({ path }) => path === "type")?.choices.map(([value]) => value)).toContain("started");
    expect(reports.filter(({ isRequired }) => isRequired).map(({ path }) => path)).toEqual(["reportID", "type"]);
  });
});

describe("an operation that is tried", () => {
  const tried = async (input: TryInput) => {
    const result = await newTry(file, nothing).tryOut(input);
    return { result, request: seen.at(-1) };
  };

  it("is sent with the keys that its API demands, and its body unchanged", async () => {
    const written = '{"sessionID": "no identifier", ';
    const { request, result } = await tried({ operation: "pos-payment-request", fields: {}, body: written });
    expect(request).toMatchObject({ method: "POST", url: "/pos-payment-request", body: written });
    expect(request?.headers).toMatchObject({
      apikey: file.demo.apikey,
      "ocp-apim-subscription-key": file.demo.subscriptionKey,
    });
    expect(result).toMatchObject({ status: 202, body: expect.stringContaining("sessionID") as string });
    expect(result.headers).toContainEqual(["x-request-id", "r1"]);
    expect(result.paymentId).toBe(`${file.demo.partnerID}/${uuid(9)}/5e551011-0000-4000-8000-000000000001`);
    const consumer = await tried(inputOf(await operationOf("landing-page-request")));
    expect(consumer.request?.headers).toMatchObject({
      authorization: `Basic ${file.demo.consumer.basic}`,
      "x-functions-key": "sample-function-key",
    });
    const terminal = await tried({ operation: "next-message", fields: { wait: "5" }, body: undefined });
    expect(terminal.request).toMatchObject({ url: "/terminals/next-message?wait=5", method: "GET" });
    expect(terminal.request?.headers["x-terminal-key"]).toBe("sample-silent-key");
  });

  it.each(["../../elsewhere", "//elsewhere.example/", "x?y#z", "http://elsewhere.example", "\uD800", "..", ""])(
    "goes to its own path of the gateway, whatever values fill the path: %j",
    async (session_id) => {
      const { request } = await tried({ operation: "pos-payment-timeline", fields: { session_id }, body: undefined });
      expect(request?.url).toMatch(/^\/pos-payment\/[^/?#]*\/timeline$/);
      expect(request?.headers.host).toBe(new URL(file.baseUrl).host);
    },
  );

  it("is not sent if it is unknown, or cannot be sent, or only its preview is requested", async () => {
    const { tryOut } = newTry(file, nothing);
    const sent = seen.length;
    await expect(tryOut({ operation: "constructor", fields: {}, body: "" })).rejects.toThrow(Refusal);
    const fields = { "Idempotency-Key": "two\r\nlines: x" };
    await expect(tryOut({ operation: "pos-payment-refund", fields, body: "{}" })).rejects.toThrow(/characters/);
    const preview = await tryOut({ ...inputOf(await operationOf("pos-payment-cancel")), preview: true });
    expect(preview).toMatchObject({
      status: undefined,
      curl: expect.stringContaining("/pos-payment-cancel") as string,
    });
    expect(seen).toHaveLength(sent);
  });

  it("links to no missing payment: a refused request creates none", async () => {
    const { operation, fields } = inputOf(await operationOf("pos-payment-cancel"));
    const sessionID = uuid(7).toUpperCase();
    const known = {
      ...payment("captured", 7),
      id: `${file.demo.partnerID}/${uuid(9)}/${uuid(7)}`,
      partnerId: file.demo.partnerID,
      sessionId: uuid(7),
    };
    const after = async (payments: readonly PaymentView[], status: number) => {
      response = { status, body: status < 400 ? JSON.stringify({ pointOfServiceID: uuid(9) }) : "{}" };
      const input = { operation, fields, body: JSON.stringify({ sessionID }) };
      const { paymentId } = await newTry(file, { ...nothing, payments: () => payments }).tryOut(input);
      response = accepted;
      return paymentId;
    };
    expect(await after([], 404)).toBeUndefined();
    expect(await after([], 202)).toBe(known.id);
    expect(await after([known], 409)).toBe(known.id);
  });

  it("is refused in a sentence if the gateway is away", async () => {
    const { tryOut } = newTry({ ...file, baseUrl: "http://127.0.0.1:9" }, nothing);
    await expect(tryOut(inputOf(await operationOf("pos-payment-cancel")))).rejects.toThrow(/gateway did not respond/);
  });
});
