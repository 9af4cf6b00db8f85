import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { exportedRows } from "../../../infra/operator/backup/export-tables.ts";
import type { Columns } from "../../../shared/ports/rows.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { approval as reportedApproval, reporterOn } from "../../support/a-reporter.ts";
import { aRequest, callBy, partnerId, terminalId as anotherTerminalId } from "../../support/platform.ts";
import { DAY, run } from "../../support/purging.ts";
import { settlementOf } from "../../support/settlement.ts";
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
  const { terminals } = restorable.whole();
  return {
    ...restorable,
    payment,
    terminalId,
    /** The payment as an import names it. */
    session: `${terminalId}~${sessionId}`,
    prefix: `payment~${sessionId}~`,
    /** The present rows of the payment. */
    paymentRows: () => restorable.whole().terminals.withPrefix(terminalId, `payment~${sessionId}~`),
    /** Damages the terminal's first row of this prefix. */
    async damage(rowKey: string, how = cut): Promise<void> {
      const [found] = await terminals.withPrefix(terminalId, rowKey, 1);
      if (!found) throw new Error(`there is no row ${rowKey}`);
      const { rowKey: key, etag, columns } = found;
      await terminals.submit(terminalId, [{ kind: "replace", rowKey: key, columns: how(columns), etag }]);
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
    ["now", () => ({ status: "captured" }), "a row payment~.* has version undefined, and this app reads version 1"],
    ["history~000002", cut, "its record is not JSON"],
    ["command~", cut, "its record is not JSON"],
    ["report~", cut, "its record is not JSON"],
  ])("is finished, and names it: %s", async (rowKey, how, why) => {
    const { exportAll, damage, terminalId: partition, prefix, folder, whole } = await aDamageable();
    await damage(prefix + rowKey, how);
    const { damaged, payments, tables } = await exportAll();
    const row = expect.stringMatching(`^${prefix}${rowKey}`);
    expect(damaged).toEqual([{ table: "terminals", partition, row, why: expect.stringMatching(`^${why}$`) }]);
    expect(payments.byStatus).toEqual({ authorized: 1 });
    expect(tables["terminals"]?.rows).toBe((await allOf(exportedRows(whole(), "terminals"))).length);
    expect(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"))).toMatchObject({
      damaged: [{ table: "terminals", partition }],
    });
  });

  it("names a payment whose rows contradict each other at every read", async () => {
    const { exportAll, terminalId: partition, prefix, whole } = await aDamageable();
    const [first] = await whole().terminals.withPrefix(partition, `${prefix}history~`);
    if (first) await whole().terminals.remove(partition, first.rowKey, first.etag);
    const why = expect.stringMatching("^its history goes from 0 to 2; its change 2 begins with pending");
    expect((await exportAll()).damaged).toEqual([{ table: "terminals", partition, row: `${prefix}now`, why }]);
  });
});

describe("an import of damaged rows", () => {
  it("names them with the payment's money, writes nothing, and leaves out no healthy payment", async () => {
    const { exportAll, damage, prefix, session, terminalId, importInto } = await aDamageable();
    await damage(`${prefix}now`);
    await exportAll();
    const into = newTables();
    await expect(importInto(into)).rejects.toThrow(
      `Terminals, partition ${terminalId}, row ${prefix}now: its record is not JSON.\n` +
        `The payment can be left out: --without ${session}. Its row says: captured, authorized 125.50 SEK, ` +
        "captured 125.50 SEK. Its bookings: capture 125.50 SEK (credit).",
    );
    const other = `${anotherTerminalId}~${aRequest().sessionId}`;
    await expect(importInto(into, undefined, [session, other])).rejects.toThrow(`${other} is not damaged`);
    for (const table of Object.values(into)) expect(await allOf(table.rowsAfter())).toEqual([]);
  });

  it("without the payment bars its session: no second payment, and an operator learns of the first", async () => {
    const restorable = await aDamageable();
    const { exportAll, restore, damage, prefix, session, payment, platform, paymentRows } = restorable;
    const { deps } = platform;
    const { sessionId } = payment;
    const request = aRequest({ sessionId, terminalId: (await payment.now()).terminalId });
    await payment.refund(10);
    const booked = await settlementOf(deps, callBy(deps), TODAY);
    await damage(`${prefix}now`);
    await exportAll();
    const money =
      "Its row says: captured, authorized 125.50 SEK, captured 125.50 SEK. Its bookings: capture 125.50 SEK (credit).";
    expect(await restore(undefined, [session])).toMatchObject({ leftOut: [{ payment: session, money }] });

    expect(await paymentRows()).toHaveLength(1);
    const conflict = { ok: false, error: { code: "session_conflict" } };
    expect(await requestPayment(deps, callBy(deps), request)).toMatchObject(conflict);
    expect(await requestPayment(deps, callBy(deps), aRequest({ sessionId }))).toMatchObject(conflict);
    expect(await payment.cancel()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    expect(await requestPayment(deps, callBy(deps), request)).toMatchObject(conflict); // the cancel has changed nothing

    expect(await payment.fetch()).toBeUndefined();
    expect(await settlementOf(deps, callBy(deps), TODAY)).toEqual(booked);
    const raised = { kind: "unreadablePayment", subject: { partnerId, sessionId }, detail: money };
    expect(await deps.alerts.listOpen()).toMatchObject([raised]);
    await platform.pass(1);
    const { sendReport } = await reporterOn(platform);
    expect(await sendReport({ ...reportedApproval(), sessionID: sessionId })).toBe(404);
    await platform.pass();
    expect(await deps.alerts.listOpen()).toMatchObject([raised, { kind: "orphanReport", count: 1 }]);
  });

  it("without the payment bars its session for as long as payments are kept", async () => {
    const { exportAll, restore, damage, prefix, session, platform, paymentRows } = await aDamageable();
    await damage(`${prefix}now`);
    await exportAll();
    await restore(undefined, [session]);
    await platform.pass((retentionTable.payments.days - 1) * DAY);
    await run(platform, "payments");
    expect(await paymentRows()).toHaveLength(1);
    await platform.pass(2 * DAY);
    await run(platform, "payments");
    expect(await paymentRows()).toEqual([]);
  });

  it("can correct a damaged row in the export, and must if it is no payment's", async () => {
    const { exportAll, damage, prefix, session, terminalId, importInto, folder } = await aDamageable();
    await damage(`${prefix}now`, wrongAmount);
    await damage("booking~", ({ data0 }) => toColumns({ ...(JSON.parse(String(data0)) as object), amount: "all" }));
    await exportAll();
    const into = newTables();
    const named = new RegExp(`Terminals, partition ${terminalId}, row booking~.*: its record has a wrong amount\\.`);
    await expect(importInto(into, folder, [session])).rejects.toThrow(named);
    await rewrite(folder, "Terminals", (text) => text.replace('"amount":"all"', '"amount":12550'));
    await rewrite(folder, "Terminals", (text) => text.replace('"captured":"all"', '"captured":12550'));
    expect(await importInto(into)).toMatchObject({ leftOut: [] });
  });
});
