import { HttpRequest, InvocationContext } from "@azure/functions";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../functions/endpoints.ts";
import { tablesConnection } from "../../../packages/workbench/stack/azurite.ts";
import { azureRows } from "../../../shared/adapters/tables/azure-rows.ts";
import { tableClient } from "../../../shared/adapters/tables/azure-tables.ts";
import { readUntil } from "../../../shared/adapters/tables/read-until.ts";
import { partner } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey } from "../../../shared/edge/auth/credentials.ts";
import { success } from "../../../shared/edge/http/contract.ts";
import { requestHandler } from "../../../shared/edge/http/handle-request.ts";
import { respond } from "../../../shared/edge/http/response.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { anApiKey } from "../../support/a-partner.ts";
import { noAuthWork } from "../../support/auth-deps.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const peppers = { p: "a pepper of some length" };
const RESPONSE_MS = 50;

/** A table service that takes its time. It counts the calls that arrive, and those that were cut off before their response. */
async function aSlowService() {
  const seen = { arrived: 0, cut: 0 };
  const server = createServer((_, response) => {
    seen.arrived++;
    response.once("close", () => (seen.cut += response.writableFinished ? 0 : 1));
    void sleep(2 * RESPONSE_MS).then(() =>
      response
        .writeHead(404, { "content-type": "application/json", "x-ms-error-code": "ResourceNotFound" })
        .end(JSON.stringify({ "odata.error": { code: "ResourceNotFound", message: { lang: "en-US", value: "no" } } })),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { seen, rows: azureRows(tableClient(tablesConnection(port), "terminals")) };
}

/** Calls an endpoint that reads many rows, one batch after the other. */
async function readMany(isRead: boolean) {
  const { seen, rows } = await aSlowService();
  const { deps } = await aPlatform();
  const key = anApiKey({ partnerId });
  await deps.partners.saveKey({ ...key, hash: hashKey("secret", peppers.p, key) }, undefined);
  const isEnded = Promise.withResolvers<unknown>();
  const handler = requestHandler(
    {
      auth: partner("payments"),
      name: "many",
      method: "GET",
      route: "many",
      summary: "Many",
      description: "Reads many rows.",
      isRead,
      successes: { 200: success("Read.", z.unknown()) },
    },
    async () => {
      const reading = eachOf(
        Array.from({ length: 64 }, (_, i) => `row-${i}`),
        (rowKey) => rows.get("p", rowKey),
      );
      reading.then(isEnded.resolve, isEnded.resolve);
      return respond(200, await reading);
    },
  )({ ...deps, peppers, ...noAuthWork, responseTimeoutMs: RESPONSE_MS, readUntil });
  const headers = { apikey: `pk_${key.keyId}_secret` };
  const request = new HttpRequest({ method: "GET", url: "http://platform.example/many", headers });
  const response = await handler(request, new InvocationContext());
  return { response, seen, isEnded: isEnded.promise };
}

it("a read ends with its answer: the table calls under way are cut off, and no other begins", async () => {
  const { response, seen, isEnded } = await readMany(true);
  expect(response).toMatchObject({ status: 503 });
  await isEnded;
  await waitFor("the calls to be cut off", async () => seen, { until: ({ arrived, cut }) => cut === arrived });
  expect(seen.arrived).toBeLessThanOrEqual(16);
});

it("other work goes on behind its answer, because it may have changed something", async () => {
  const { response, seen, isEnded } = await readMany(false);
  expect(response).toMatchObject({ status: 503 });
  await isEnded;
  expect(seen).toEqual({ arrived: 64, cut: 0 });
});

it("every GET is a read, except the long polls and the one that commits that a question was seen", () => {
  const others = endpoints.filter(({ contract: { method, isRead } }) => method === "GET" && !isRead);
  expect(others.map(({ contract: { name } }) => name)).toEqual(["events", "action-request", "next-message"]);
  expect(endpoints.filter(({ contract: { method, isRead } }) => method !== "GET" && isRead)).toEqual([]);
});
