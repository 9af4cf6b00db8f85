import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Refusal } from "../../../infra/pages/live/source.ts";
import { newTill } from "../../../infra/pages/live/till.ts";
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

it.each([
  ['{"title":"Busy","detail":"The terminal has another payment."}', "The terminal has another payment (409)."],
  ['{"title":"Busy"}', "Busy (409)."],
  ['{"detail":17}', "The platform responded 409."],
  ["null", "The platform responded 409."],
  ["<html>", "The platform responded 409."],
])("is refused in the words of the problem %j", async (body, words) => {
  response = { status: 409, body };
  await expect(newTill(file)("pos-payment-request", {})).rejects.toThrow(new Refusal(words));
});

it("reports that the platform did not respond", async () => {
  const away = newTill({ ...file, baseUrl: "http://127.0.0.1:9" });
  await expect(away("pos-payment-request", {})).rejects.toThrow(new Refusal("The platform did not respond."));
});
