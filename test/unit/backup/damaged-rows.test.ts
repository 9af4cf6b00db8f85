import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import type { Columns } from "../../../shared/ports/rows.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import { rowsOfFile, storedPartition, storedTable, together } from "../../../infra/operator/backup/payments-apart.ts";
import type { ExportedTable } from "../../../infra/operator/backup/table-order.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { approval as reportedApproval, reporterOn } from "../../support/a-reporter.ts";
import { aRequest, callBy, partnerId, terminalId } from "../../support/platform.ts";
import { DAY, run } from "../../support/purging.ts";
import { allOf, aRestorable, authorized, newTables, rewrite } from "./a-restorable.ts";

const TODAY = "2026-11-21";
const cut = (columns: Columns): Columns => ({ ...columns, data0: String(columns["data0"]).slice(0, -9) });

/** A platform with a captured payment that can be damaged, and a healthy one. */
async function aDamageable() {
  const restorable = await aRestorable();
  const payment = await authorized(restorable, { captureMode: "automatic" });
  await authorized(restorable);
  await restorable.platform.pass();
  const { terminalId, sessionId } = await payment.now();
  const partition = `${terminalId}~${sessionId}`;
  const paymentRows = async () => allOf(rowsOfFile("payments", restorable.whole().terminals));
  return {
    ...restorable,
    payment,
    partition,
    paymentRows,
    async damage(table: ExportedTable, of: string, rowKey: string, how = cut): Promise<void> {
      const rows = restorable.whole()[storedTable(table)];
      const found = (await allOf(rowsOfFile(table, rows))).find(
        (row) => row.partitionKey === of && row.rowKey.startsWith(rowKey),
      );
      if (!found) throw new Error(`there is no row ${rowKey}`);
      const columns = how(found.columns);
      const stored = together(table, found);
      await rows.submit(storedPartition(table, of), [
        { kind: "replace", rowKey: stored.rowKey, columns, etag: found.etag },
      ]);
    },
  };
}

const wrongAmount = ({ data0, status = "", sequence = 0 }: Columns): Columns => {
  const payment = JSON.parse(String(data0)) as { amounts: object };
  return toColumns({ ...payment, amounts: { ...payment.amounts, captured: "all" } }, { status, sequence });
};

describe("an export of a damaged row", () => {
  it.each([
    ["now", cut, "its record is not JSON"],
    ["now", wrongAmount, "its record has a wrong amounts.captured"],
    ["now", () => ({ status: "captured" }), "a row now has version undefined, and this app reads version 1"],
    ["history~000002", cut, "its record is not JSON"],
    ["command~", cut, "its record is not JSON"],
    ["report~", cut, "its record is not JSON"],
  ])("is finished, and names it: %s", async (rowKey, how, why) => {
    const { exportAll, damage, partition, paymentRows, folder } = await aDamageable();
    await damage("payments", partition, rowKey, how);
    const { damaged, payments, tables } = await exportAll();
    expect(damaged).toEqual([{ table: "payments", partition, row: expect.stringMatching(`^${rowKey}`), why }]);
    expect(payments.byStatus).toEqual({ authorized: 1 });
    expect(tables["payments"]?.rows).toBe((await paymentRows()).length);
    expect(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"))).toMatchObject({ damaged });
  });

  it("names a payment whose rows contradict each other at every read", async () => {
    const { exportAll, partition, whole } = await aDamageable();
    const [terminal = "", session = ""] = partition.split("~");
    const [first] = await whole().terminals.withPrefix(terminal, `payment~${session}~history~`);
    if (first) await whole().terminals.remove(terminal, first.rowKey, first.etag);
    const why = expect.stringMatching("^its history goes from 0 to 2; its change 2 begins with pending");
    expect((await exportAll()).damaged).toEqual([{ table: "payments", partition, row: "now", why }]);
  });
});

describe("an import of damaged rows", () => {
  it("names them with the payment's money, writes nothing, and leaves out no healthy payment", async () => {
    const { exportAll, damage, partition, importInto } = await aDamageable();
    await damage("payments", partition, "now");
    await exportAll();
    const into = newTables();
    await expect(importInto(into)).rejects.toThrow(
      `Payments, partition ${partition}, row now: its record is not JSON.\n` +
        `The payment can be left out: --without ${partition}. Its row says: captured, authorized 125.50 SEK, ` +
        "captured 125.50 SEK. Its bookings: capture 125.50 SEK (credit).",
    );
    const other = `${terminalId}~${aRequest().sessionId}`;
    await expect(importInto(into, undefined, [partition, other])).rejects.toThrow(`${other} is not damaged`);
    for (const table of Object.values(into)) expect(await allOf(table.rowsAfter())).toEqual([]);
  });

  it("without the payment bars its session: no second payment, and an operator learns of the first", async () => {
    const restorable = await aDamageable();
    const { exportAll, restore, damage, partition, payment, platform, paymentRows } = restorable;
    const { deps } = platform;
    const { sessionId } = payment;
    const request = aRequest({ sessionId, terminalId: (await payment.now()).terminalId });
    await payment.refund(10);
    const booked = await readSettlement(deps, callBy(deps), TODAY);
    await damage("payments", partition, "now");
    await exportAll();
    const money =
      "Its row says: captured, authorized 125.50 SEK, captured 125.50 SEK. Its bookings: capture 125.50 SEK (credit).";
    expect(await restore(undefined, [partition])).toMatchObject({ leftOut: [{ payment: partition, money }] });

    expect((await paymentRows()).filter(({ partitionKey }) => partitionKey === partition)).toHaveLength(1);
    const conflict = { ok: false, error: { code: "session_conflict" } };
    expect(await requestPayment(deps, callBy(deps), request)).toMatchObject(conflict);
    expect(await requestPayment(deps, callBy(deps), aRequest({ sessionId }))).toMatchObject(conflict);
    expect(await payment.cancel()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    expect(await requestPayment(deps, callBy(deps), request)).toMatchObject(conflict); // the cancel has changed nothing

    expect(await payment.fetch()).toBeUndefined();
    expect(await readSettlement(deps, callBy(deps), TODAY)).toEqual(booked);
    const raised = { kind: "unreadablePayment", subject: { partnerId, sessionId }, detail: money };
    expect(await deps.alerts.listOpen()).toMatchObject([raised]);
    await platform.pass(1);
    const { sendReport } = await reporterOn(platform);
    expect(await sendReport({ ...reportedApproval(), sessionID: sessionId })).toBe(404);
    await platform.pass();
    expect(await deps.alerts.listOpen()).toMatchObject([raised, { kind: "orphanReport", count: 1 }]);
  });

  it("without the payment bars its session for as long as payments are kept", async () => {
    const { exportAll, restore, damage, partition, platform, paymentRows } = await aDamageable();
    await damage("payments", partition, "now");
    await exportAll();
    await restore(undefined, [partition]);
    const left = async () => (await paymentRows()).filter(({ partitionKey }) => partitionKey === partition);
    await platform.pass((retentionTable.payments.days - 1) * DAY);
    await run(platform, "payments");
    expect(await left()).toHaveLength(1);
    await platform.pass(2 * DAY);
    await run(platform, "payments");
    expect(await left()).toEqual([]);
  });

  it("can correct a damaged row in the export, and must if it is no payment's", async () => {
    const { exportAll, damage, partition, importInto, folder } = await aDamageable();
    const [terminal = ""] = partition.split("~");
    await damage("payments", partition, "now", wrongAmount);
    await damage("bookings", terminal, "booking~", ({ data0 }) =>
      toColumns({ ...(JSON.parse(String(data0)) as object), amount: "all" }),
    );
    await exportAll();
    const into = newTables();
    const named = new RegExp(`Bookings, partition ${terminal}, row booking~.*: its record has a wrong amount\\.`);
    await expect(importInto(into, folder, [partition])).rejects.toThrow(named);
    await rewrite(folder, "Bookings", (text) => text.replace('"amount":"all"', '"amount":12550'));
    await rewrite(folder, "Payments", (text) => text.replace('"captured":"all"', '"captured":12550'));
    expect(await importInto(into)).toMatchObject({ leftOut: [] });
  });
});
