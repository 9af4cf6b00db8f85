import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachTable } from "../../../shared/stores/stores.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { searchTables } from "../../support/stored-secrets.ts";
import { findSecrets, searchLogs, secretsIn } from "../../support/secret-search.ts";

const known = secretsIn("stack", { masterKey: "q7Vd0m/Wz+1", nested: [{ code: "AB12-CD34-EF56-GH7*" }] });

it.each([
  ["stack.masterKey", '{"event":"request","code":"q7Vd0m/Wz+1"}'],
  ["stack.masterKey, in base64", `authorization: Basic ${Buffer.from("q7Vd0m/Wz+1").toString("base64")}`],
  ["stack.nested.0.code", "mailed AB12-CD34-EF56-GH7*"],
  ["stack.masterKey, in a URL", "GET /voucher?code=q7Vd0m%2FWz%2B1"],
  ["a webhook secret", "signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ["an API or terminal key", "apikey pk_11111111-aaaa_c2VjcmV0LXNlY3JldA"],
  ["an API or terminal key", "x-terminal-key: tk_1d2e3f40_c2VjcmV0LXNlY3JldA"],
  ["an e-mail address", "no mailbox anna.b+test@example.com"],
  ["a card number", '"detail":"4242424242424242"'],
  ["a card number", "card 5555 5555 5555 4444 refused"],
])("%s that is planted in a log is found, by its line and without its value", (kind, line) => {
  const found = findSecrets(`a first line\n${line}\n`, known);
  expect(found.map((one) => one.kind)).toContain(kind);
  expect(new Set(found.map((one) => one.line))).toEqual(new Set([2]));
  expect(JSON.stringify(found)).not.toContain("q7Vd0m");
});

it("a text that only resembles a secret is not reported", () => {
  const lines = [
    '{"event":"request","session":"4242cccc-0000-4000-8000-000000000001","ms":4,"time":"2026-11-21T10:00:00.000Z"}',
    "traceparent 00-4242424242424242424242424242424a-4242424242424241-01",
    "card ...4242, masked 424242******4242, order 4242424242424241",
    "at /home/dev/node_modules/@azure/functions/dist/azure-functions.js:1:4000",
  ];
  expect(findSecrets(lines.join("\n"), known)).toEqual([]);
});

it("the rows of all tables are searched, and a planted secret is found by its place", async () => {
  const tables = eachTable(() => inMemoryRows());
  const plant = (rowKey: string, data0: string) =>
    tables.feeds.submit("partner-1", [{ kind: "insert", rowKey, columns: { data0 } }]);
  await plant("event~000000000000018", '{"mailedTo":"anna@example.com"}'); // a pending mail
  expect(await searchTables(tables, known)).toBe(1);
  await plant("event~000000000000002", '{"detail":"4242 4242 4242 4242","x":"q7Vd0m/Wz+1"}');
  await expect(searchTables(tables, known)).rejects.toThrow(
    /^feeds: partner-1 event holds stack.masterKey, a card number$/,
  );
});

it("a folder of logs is searched file by file, and must hold the app's own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "searched-"));
  try {
    await writeFile(join(folder, "gateway.log"), '{"ready":true}\n');
    await expect(searchLogs(folder, known)).rejects.toThrow("hold no line of the app");
    await writeFile(join(folder, "functions.log"), 'information report {"event":"request"}\n');
    await searchLogs(folder, known);
    await writeFile(join(folder, "mails.log"), "ready\nto q7Vd0m/Wz+1\n");
    await expect(searchLogs(folder, known)).rejects.toThrow("mails.log:2 holds stack.masterKey");
  } finally {
    await rm(folder, { recursive: true });
  }
});
