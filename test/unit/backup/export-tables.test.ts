import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rowsOf, type PlainRow } from "../../../infra/operator/backup/exported-row.ts";
import { exportedRows } from "../../../infra/operator/backup/export-tables.ts";
import { exportFolder, importFolder } from "../../../infra/operator/backup/folder.ts";
import { exportedTables } from "../../../infra/operator/backup/table-order.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { eachTable, type Table } from "../../../shared/stores/stores.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { allOf, aRestorable, authorized, copyOf, nasty } from "./a-restorable.ts";

const keyOf = ({ partitionKey, rowKey }: PlainRow): string => `${partitionKey} ${rowKey}`;
const byKey = (one: PlainRow, other: PlainRow): number => (keyOf(one) < keyOf(other) ? -1 : 1);

describe("an export", () => {
  it("continues after an interruption, and holds each row once", async () => {
    const restorable = await aRestorable();
    for (let i = 0; i < 3; i++) await authorized(restorable);
    const whole = restorable.whole();
    const ending = eachTable((table: Table) => ({
      ...whole[table],
      async *rowsAfter(after?: string) {
        yield* whole[table].rowsAfter(after);
        if (table === "sessions" && after === undefined) throw new Unavailable("the tables do not respond");
      },
    }));
    await expect(restorable.exportAll(ending)).rejects.toThrow(Unavailable);
    await appendFile(join(restorable.folder, "Sessions.jsonl"), "half a li");
    const { tables } = await restorable.exportAll();
    const rows = await allOf(whole.sessions.rowsAfter());
    expect(tables["sessions"]?.rows).toBe(rows.length);
    const ofTerminals = (await allOf(whole.terminals.rowsAfter())).filter(
      ({ rowKey }) => !/^(open|changed)~/.test(rowKey),
    );
    expect(tables["terminals"]?.rows).toBe(ofTerminals.length); // marks are derived
    await expect(exportFolder(restorable.folder)).rejects.toThrow(/holds a finished export/);
  });

  it("holds any text, so that each row reads back and a restored payment has its texts", async () => {
    const restorable = await aRestorable();
    const { exportAll, folder, platform, restore, whole } = restorable;
    const texts = { merchantName: nasty, terminalName: nasty, references: { orderId: nasty, paymentId: nasty } };
    const payment = await authorized(restorable, { ...texts, captureMode: "automatic" });
    await payment.refund(10, {}, nasty);
    await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId, detail: nasty });
    await platform.pass();
    const { refunds } = await payment.now();
    expect(refunds).toMatchObject([{ status: "succeeded", reason: nasty }]);
    expect(await exportAll()).toMatchObject({ damaged: [] });
    const { lines } = await importFolder(folder, "anywhere");
    for (const table of exportedTables) {
      const there = (await allOf(exportedRows(whole(), table))).map(({ etag: _, ...row }) => row);
      expect((await allOf(rowsOf(lines, table))).toSorted(byKey)).toEqual(there.toSorted(byKey));
    }
    await restore();
    expect(await payment.now()).toMatchObject({ ...texts, refunds });
  });

  it("reads a payment again if a change comes between the readings of its rows", async () => {
    const restorable = await aRestorable();
    const { exportAll, platform, restore, whole } = restorable;
    const payment = await aPaymentOn(platform);
    const { terminals } = whole();
    const then = await copyOf(terminals);
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    const scanned = {
      ...terminals,
      async *rowsAfter(after: string | undefined) {
        for await (const row of then.rowsAfter(after))
          yield (row.rowKey.endsWith("~now") ? await terminals.get(row.partitionKey, row.rowKey) : undefined) ?? row;
      },
    };
    expect(await exportAll({ ...whole(), terminals: scanned })).toMatchObject({
      damaged: [],
      payments: { byStatus: { inProgress: 1 } },
    });
    await restore();
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
  });

  it("shows records in a readable form", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    const [line = ""] = (await readFile(join(restorable.folder, "Partners.jsonl"), "utf8")).split("\n");
    expect(JSON.parse(line)).toMatchObject({ record: { partnerId: expect.any(String) } });
  });
});
