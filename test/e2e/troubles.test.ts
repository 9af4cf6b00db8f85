import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleIds } from "../../shared/contracts/examples/sample-ids.ts";
import {
  API_KEY_ROW,
  apiKeyPartition,
  landingPagePartition,
  PAGE_ROW,
  TERMINAL_ROW,
  terminalPartition,
} from "../../shared/tables/keys.ts";
import { asksOf } from "../support/any-operation.ts";
import { documentedOperations } from "../support/api-documents.ts";
import { rowsOf, spoil } from "../support/table-access.ts";
import { startTroubledStack, type TroubledStack } from "../support/troubled-stack.ts";

// A stack of its own, whose tables fail: each operation says that it was not the caller's fault, and nothing of what it was.

const named = documentedOperations.map((operation) => [operation.operationId, operation] as const);
let troubled: TroubledStack;
let ask: ReturnType<typeof asksOf>;
beforeAll(async () => {
  troubled = await startTroubledStack();
  ask = asksOf(troubled.stack.file);
});
afterAll(async () => troubled.stop());

it.each(named)("%s answers 503 with Retry-After while the tables are away", async (_, operation) => {
  troubled.decide(() => "unavailable");
  const refused = await ask(operation);
  expect(refused).toMatchObject({ status: 503, code: "dependency_unavailable" });
  expect(refused.headers.get("retry-after")).toBe("1");
});

/** The page that the documents' examples name, with a template that there is. */
async function aPage(): Promise<void> {
  const { templateAccessTokenID } = troubled.stack.file.demo.consumer;
  const operation = documentedOperations.find(({ operationId }) => operationId === "landing-page-request");
  if (!operation) throw new Error("landing-page-request is not documented");
  const made = await ask({ ...operation, body: { ...operation.body, templateAccessTokenID } });
  expect(made.status).toBe(202);
}

it.each(named)("%s answers 500 for a row that cannot be read, and heals when it can be", async (_, operation) => {
  troubled.decide(() => "pass");
  const { stack } = troubled;
  await aPage();
  const { apikey, terminals } = await stack.addPartner({ withoutAutopilot: true }); // unknown to every cache
  const [, keyId = ""] = apikey.split("_");
  const { pointOfServiceID, terminalKey } = terminals.silent;
  const unreadable = {
    partners: ["partners", apiKeyPartition(keyId), API_KEY_ROW],
    terminals: ["terminals", terminalPartition(pointOfServiceID), TERMINAL_ROW],
    consumer: ["landingPages", landingPagePartition(sampleIds.landingPageID), PAGE_ROW],
  } as const;
  const [table, partition, row] = unreadable[operation.api];
  const headers = {
    ...(operation.api === "partners" && { apikey }),
    ...(operation.api === "terminals" && { "x-terminal-key": terminalKey }),
  };
  const mend = await spoil(rowsOf(stack.file, table), partition, row);
  expect(await ask(operation, { headers })).toMatchObject({ status: 500, code: "internal_error" });
  await mend();
  expect((await ask(operation, { headers })).status).toBeLessThan(500);
});
