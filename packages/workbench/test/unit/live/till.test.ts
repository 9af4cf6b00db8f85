import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NotDone } from "../../../live/page/ask.ts";
import { newSender } from "../../../live/page/kept-request.ts";
import { Refusal } from "../../../live/source.ts";
import { newTill } from "../../../live/till.ts";
import { sampleStack } from "../../browser/sample-stack.ts";

interface Seen {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
const seen: Seen[] = [];
let response = { status: 202, body: "{}" };
const gateway = createServer((request, out) => void respond(request, out));
async function respond(request: IncomingMessage, out: ServerResponse): Promise<void> {
  const { method = "", url = "", headers } = request;
  seen.push({ line: `${method} ${url}`, headers, body: await text(request) });
  out.writeHead(response.status).end(response.body);
}
let file = sampleStack;
beforeAll(async () => {
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  file = { ...sampleStack, baseUrl: origin };
});
afterAll(() => void gateway.close());

it("sends requests as the partner's server and as the web application do, each with its own keys", async () => {
  const request = newTill(file);
  await request("pos-payment-cancel", { sessionID: "s" });
  await request("landing-page-request", {});
  expect(seen).toMatchObject([
    {
      line: "POST /pos-payment-cancel",
      headers: { apikey: file.demo.apikey, "content-type": "application/json" },
      body: '{"sessionID":"s"}',
    },
    {
      line: "POST /landing-page-request",
      headers: { authorization: `Basic ${file.demo.consumer.basic}`, "x-functions-key": "sample-function-key" },
    },
  ]);
  expect(seen[1]?.headers).not.toHaveProperty("apikey");
});

it.each(["report", "../admin", "constructor", ""])("sends nothing to another operation: %j", async (operation) => {
  const sent = seen.length;
  await expect(newTill(file)(operation, {})).rejects.toThrow(Refusal);
  expect(seen).toHaveLength(sent);
});

const wrongFields =
  '{"title":"Wrong","errors":[{"field":"a","message":"is too large","code":"max"},{"field":"b","message":"is missing"}]}';

it.each([
  [409, '{"title":"Busy","detail":"The terminal has another payment."}', "The terminal has another payment (409)."],
  [409, '{"title":"Busy"}', "Busy (409)."],
  [422, wrongFields, "Wrong: a is too large, b is missing (422)."],
  [409, '{"detail":17}', "The platform responded 409."],
  [503, "null", "The platform responded 503."],
  [502, "<html>", "The platform responded 502."],
])("is refused with the status %d and in the words of the problem %j", async (status, body, message) => {
  response = { status, body };
  await expect(newTill(file)("pos-payment-request", {})).rejects.toMatchObject({ status, message });
});

it("reports that the platform did not respond", async () => {
  const away = newTill({ ...file, baseUrl: "http://127.0.0.1:9" });
  const message = "The platform did not respond.";
  await expect(away("pos-payment-request", {})).rejects.toMatchObject({ status: 504, message });
});

describe("a request whose outcome is unknown", () => {
  /** Sends a new request at each press, and responds with these statuses. 0 is no response, 200 a success. */
  async function pressed(...statuses: readonly number[]) {
    const sent: string[] = [];
    const sender = newSender<string>(async (request) => {
      sent.push(request);
      const status = statuses[sent.length - 1] ?? 200;
      if (status !== 200) throw new NotDone(`status ${status}`, status);
    });
    for (const press of statuses.keys()) await sender.send(`request ${press + 1}`);
    const state = sender.state();
    sender.clearRefusal();
    return { sent, ...state, refusalAfterEdit: sender.state().refusal };
  }

  it.each([500, 503, 504, 0])("is kept after the status %d, and sent again instead of another one", async (status) => {
    expect(await pressed(status, status)).toEqual({
      sent: ["request 1", "request 1"],
      isSending: false,
      kept: "request 1",
      refusal: `status ${status}`,
      refusalAfterEdit: `status ${status}`,
    });
  });

  it.each([200, 409, 422])("is decided by the status %d: the next request is a new one", async (status) => {
    expect(await pressed(503, status)).toMatchObject({ kept: undefined, refusalAfterEdit: "" });
    expect(await pressed(503, status, 200)).toMatchObject({ sent: ["request 1", "request 1", "request 3"] });
  });

  it("is not decided by a 429, which rejects only the last attempt", async () => {
    expect(await pressed(429)).toMatchObject({ kept: undefined, refusal: "status 429" });
    expect(await pressed(503, 429)).toMatchObject({ kept: "request 1" });
  });
});
