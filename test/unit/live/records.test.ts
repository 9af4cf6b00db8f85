import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newRecords, type Records } from "../../../infra/local/live/records.ts";
import { newState, type LiveState } from "../../../infra/local/live/state.ts";
import { closeAlert, raiseAlert } from "../../../shared/domain/alert.ts";
import { ALERTS_PARTITION, paymentPartition } from "../../../shared/tables/keys.ts";
import { eachTable, tablePorts, type TablePorts, type Tables } from "../../../shared/tables/table-ports.ts";
import { aPaymentIn, now } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const payment = aPaymentIn("authorized");
const id = `${payment.partnerId}/${payment.sessionId}`;
const entry = { sequence: 1, at: now, by: "partner", event: "request", to: "authorized" } as const;

let tables: Tables;
let ports: TablePorts;
let state: LiveState;
let records: Records;
beforeEach(() => {
  tables = eachTable(() => inMemoryRows());
  ports = tablePorts(tables);
  state = newState();
  records = newRecords(tables, state);
});
afterEach(() => records.stop());

const payments = () => state.snapshot().payments;
const seen = () => records.changed("payments", paymentPartition(payment));

async function raised(): Promise<void> {
  const identity = { subject: { kind: "payment", ...payment }, kind: "outcomeUnknown", about: undefined } as const;
  const alert = raiseAlert(identity, undefined, { by: { sequence: 1 }, at: now });
  if (alert) await ports.alerts.save(alert, undefined);
  records.changed("alerts", ALERTS_PARTITION);
}

describe("what the platform has stored, on the live page", () => {
  it("is a payment once its rows have changed, by its identifier in any spelling", async () => {
    await ports.payments.commit(payment, { payment, etag: undefined, entry });
    expect(payments()).toEqual([]);
    seen();
    await expect.poll(payments).toMatchObject([{ id, status: "authorized", amount: 12_550, alerts: 0 }]);
    expect(await records.payment(id.toUpperCase())).toMatchObject({ sessionId: payment.sessionId });
    expect((await records.inspect(id))?.history).toMatchObject([{ event: "request" }]);
    expect(await records.payment(`${payment.partnerId}/elsewhere`)).toBeUndefined();
    expect(await records.inspect("no identifier")).toBeUndefined();
  });

  it("counts a payment's open alerts, until they are closed", async () => {
    await ports.payments.commit(payment, { payment, etag: undefined, entry });
    await raised();
    await expect.poll(() => payments()[0]?.alerts).toBe(1);
    const [view] = state.snapshot().alerts;
    expect(view).toMatchObject({ kind: "outcomeUnknown", sessionId: payment.sessionId, count: 1 });
    expect(records.openAlert(view?.id ?? "")).toMatchObject({ status: "open" });

    const [read] = await ports.alerts.of(payment.sessionId);
    const closed = read && closeAlert(read.alert, { by: "ada", why: "found", at: now });
    if (closed) await ports.alerts.save(closed, read);
    records.changed("alerts", ALERTS_PARTITION);
    await expect.poll(() => payments()[0]?.alerts).toBe(0);
    expect(state.snapshot().alerts).toEqual([]);
  });

  it("shows a payment although a row of another one cannot be read", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const unread = { kind: "insert", rowKey: "session", columns: { v: 99, data0: "{}" } } as const;
      await tables.payments.submit("unread", [unread]);
      await ports.payments.commit(payment, { payment, etag: undefined, entry });
      records.changed("payments", "unread");
      seen();
      await expect.poll(payments).toHaveLength(1);
      expect(said).toHaveBeenCalledOnce();
    } finally {
      said.mockRestore();
    }
  });

  it("has no payment for a session that was cancelled before it was requested", async () => {
    await ports.payments.leaveTombstone(payment);
    expect(await records.payment(id)).toBeUndefined();
    expect(await records.inspect(id)).toBeUndefined();
  });
});
