import { AzureNamedKeyCredential, generateAccountSas } from "@azure/data-tables";
import { describe, expect, it } from "vitest";
import { azureTables, tableClient } from "../../../shared/adapters/tables/azure-tables.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import { onTables } from "../../bench/bench-tables.ts";

const setting = (connection: string, name: string) => new RegExp(`${name}=([^;]+)`).exec(connection)?.[1] ?? "";

describe("a connection string with a shared access signature", () => {
  it("opens tables like a connection string with the account's key, for rows and for the SDK's own calls", async () => {
    await onTables(async (connection) => {
      const credential = new AzureNamedKeyCredential(
        setting(connection, "AccountName"),
        setting(connection, "AccountKey"),
      );
      const sas = generateAccountSas(credential, {
        permissions: { query: true, add: true, update: true, delete: true, list: true },
        expiresOn: new Date(Date.now() + 3_600_000),
      });
      const signed = `TableEndpoint=${setting(connection, "TableEndpoint")};SharedAccessSignature=${sas}`;
      const rows = azureTables(signed).terminals;
      const insert = (rowKey: string): Operation => ({ kind: "insert", rowKey, columns: { rowKey } });
      const [etag = ""] = await rows.submit("p", [insert("a")]);
      await rows.submit("p", [insert("b"), { kind: "remove", rowKey: "a", etag }]);
      expect((await rows.get("p", "b"))?.columns).toEqual({ rowKey: "b" });
      expect(await rows.withPrefix("p", "")).toHaveLength(1);
      expect(await azureTables(connection).terminals.withPrefix("p", "")).toEqual(await rows.withPrefix("p", ""));

      const found: unknown[] = [];
      for await (const { rowKey } of tableClient(signed, "terminals").listEntities()) found.push(rowKey);
      expect(found).toEqual(["b"]);
    });
  });
});
