import { TableClient } from "@azure/data-tables";
import { describe, expect, it } from "vitest";
import { tablesConnection } from "../../../packages/workbench/stack/azurite.ts";
import { tableClient } from "../../../shared/adapters/tables/azure-tables.ts";
import { headersOf, type HttpRequest } from "../../../shared/adapters/tables/table-http.ts";
import { aTableRequest } from "../../support/a-table-request.ts";
import { rowsPipeline, UNUSED_POLICIES } from "../../../shared/adapters/tables/table-sender.ts";

type Pipeline = TableClient["pipeline"];

const shared = tablesConnection(10_002);
const sas = "TableEndpoint=https://account.table.core.windows.net;SharedAccessSignature=sv=2019-02-02&sig=x";
const sdkClient = (connection: string) =>
  TableClient.fromConnectionString(connection, "Terminals", { allowInsecureConnection: true });
const namesOf = (pipeline: Pipeline) => pipeline.getOrderedPolicies().map(({ name }) => name);

describe("the pipeline of a request for rows", () => {
  it("lacks only policies that the SDK still has by these names", () => {
    const names = namesOf(sdkClient(shared).pipeline);
    expect(UNUSED_POLICIES.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has the same effect as with the rest of the SDK's policies", () => {
    const kept = ["userAgentPolicy", "setClientRequestIdPolicy"];
    expect(namesOf(rowsPipeline(tableClient(shared, "terminals")))).toEqual([
      ...kept,
      "tablesNamedKeyCredentialPolicy",
      "defaultRetryPolicy",
    ]);
    expect(namesOf(rowsPipeline(tableClient(sas, "terminals")))).toEqual([...kept, "defaultRetryPolicy"]);
  });

  it("does not change the client's own pipeline for the SDK's calls", () => {
    const client = tableClient(shared, "terminals");
    rowsPipeline(client);
    expect(namesOf(client.pipeline)).toEqual(namesOf(sdkClient(shared).pipeline));
  });
});

describe("signing with an identity", () => {
  const http = (sent: HttpRequest[]) => ({
    sendRequest: async (request: HttpRequest) => {
      sent.push(request);
      return { request, status: 204, headers: headersOf({}) };
    },
  });

  it("sends a token for Azure Storage with each request, fetched once, and none over plain http", async () => {
    const asked: (string | string[])[] = [];
    const credential = {
      async getToken(scopes: string | string[]) {
        asked.push(scopes);
        return { token: "a-token", expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const pipelineAt = (endpoint: string) => rowsPipeline(tableClient({ endpoint, credential }, "terminals"));
    const sent: HttpRequest[] = [];
    const pipeline = pipelineAt("https://account.table.core.windows.net");
    for (const path of ["/Terminals()", "/Terminals()"])
      await pipeline.sendRequest(http(sent), aTableRequest(`https://account.table.core.windows.net${path}`));
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer a-token", "Bearer a-token"]);
    expect(asked.flat()).toEqual(["https://storage.azure.com/.default"]);
    const plain = aTableRequest("http://account.example/Terminals()");
    await expect(pipelineAt("http://account.example").sendRequest(http(sent), plain)).rejects.toThrow(/https/);
    expect(sent).toHaveLength(2);
  });
});
