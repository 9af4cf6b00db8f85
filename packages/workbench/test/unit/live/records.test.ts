import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { paymentDetail } from "../../../live/payments.ts";
import { newRecords, type Records } from "../../../live/records.ts";
import { newState, type LiveState } from "../../../live/state.ts";
import { closeAlert, raiseAlert } from "../../../../../shared/domain/alert.ts";
import { openDay } from "../../../../../shared/domain/terminal-day/changes.ts";
import type { TerminalDay } from "../../../../../shared/domain/terminal-day/terminal-day.ts";
import { standardTimings } from "../../../../../shared/domain/timings.ts";
import { ALERTS_PARTITION, paymentPrefix, paymentRow, terminalPartition } from "../../../../../shared/stores/keys.ts";
import { eachTable, tablePorts, type TablePorts, type Tables } from "../../../../../shared/stores/stores.ts";
import { aCharge, aPaymentIn, now } from "../../../../../test/support/a-payment.ts";
import { aTerminal } from "../../../../../test/support/platform.ts";
import { inMemoryRows } from "../../../../../test/support/in-memory-rows.ts";

const payment = aPaymentIn("authorized");
const sameSession = { sessionId: payment.sessionId };
const id = `${payment.partnerId}/${payment.terminalId}/${payment.sessionId}`;
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
const partition = terminalPartition(payment.terminalId);
const seen = () => records.changed("terminals", { partition, prefix: paymentPrefix(payment) });
const terminalChanged = () => records.changed("terminals", { partition, prefix: undefined });
const alertsChanged = () => records.changed("alerts", { partition: ALERTS_PARTITION, prefix: undefined });

async function raised(): Promise<void> {
  const identity = { subject: { kind: "payment", ...payment }, kind: "outcomeUnknown", about: undefined } as const;
  const alert = raiseAlert(identity, undefined, { by: { sequence: 1 }, at: now });
  if (alert) await ports.alerts.save(alert, undefined);
  alertsChanged();
}

describe("the platform's stored records on the live page", () => {
  it("has the newest business day of each terminal, with its differences in words", async () => {
    const { partnerId } = payment;
    const closed = async (day: string, totals: TerminalDay["differences"] = [], terminalId = payment.terminalId) => {
      const key = { partnerId, terminalId, terminalAsReceived: terminalId.toUpperCase(), day };
      const { terminalDay } = openDay(key, { now, timings: standardTimings });
      const differing = {
        ...terminalDay,
        status: totals.length > 0 ? "differs" : "closed",
        differences: totals,
      } as const;
      await ports.terminalDays.commit({ terminalDay: differing, read: undefined, command: undefined });
      records.changed("terminals", { partition: terminalPartition(terminalId), prefix: undefined });
    };
    const [terminal, booked] = [
      { count: 1, amount: 12_550 },
      { count: 2, amount: 25_100 },
    ];
    await closed("2026-11-21", [{ currency: "SEK", kind: "charge", terminal, booked, more: "books", names: ["c2"] }]);
    await expect
      .poll(() => state.snapshot().days)
      .toEqual([
        {
          terminalId: payment.terminalId,
          businessDay: "2026-11-21",
          status: "differs",
          differences: ["charge: terminal 1 of 125.50 SEK, books 2 of 251.00 SEK; the books have more (c2)"],
        },
      ]);
    await closed("2026-11-22");
    await expect.poll(() => state.snapshot().days).toMatchObject([{ businessDay: "2026-11-22", status: "closed" }]);
    await closed("2026-11-20");
    await closed("2026-11-20", [], "another terminal");
    const seen = [{ businessDay: "2026-11-22" }, { businessDay: "2026-11-20", terminalId: "another terminal" }];
    await expect.poll(() => state.snapshot().days).toMatchObject(seen);
  });

  it("names terminals, merchants and devices, also of payments without names and of alerts, until a terminal is retired", async () => {
    const { terminalId } = payment;
    const names = { name: "Till 1", merchantId: "m1", merchantName: "Kiosks" };
    await ports.terminals.save(aTerminal({ terminalId, ...names }), undefined);
    await ports.terminals.describe(terminalId, { device: { maker: "Maker", model: "M1" }, can: ["print"] });
    await ports.terminals.seen(terminalId, now, 87);
    terminalChanged();
    const place = { terminalId, terminalName: "Till 1", merchantId: "m1", merchantName: "Kiosks" };
    const facts = ["Maker M1", "battery 87%", "can print"];
    await expect.poll(() => state.snapshot().registered).toEqual([{ ...place, facts }]);

    const { terminalName: _, merchantName: __, ...nameless } = payment;
    await ports.payments.commit(payment, { payment: nameless, read: undefined, entry });
    await raised();
    await expect.poll(payments).toMatchObject([{ terminalName: "Till 1", merchantName: "Kiosks", alerts: 1 }]);
    expect(state.snapshot().alerts).toMatchObject([{ place }]);

    const view = await ports.terminals.find(terminalId);
    if (view) await ports.terminals.save({ ...view.terminal, name: "Till 2" }, view.etag);
    terminalChanged();
    await expect.poll(() => state.snapshot().alerts).toMatchObject([{ place: { terminalName: "Till 2" } }]);

    const renamed = await ports.terminals.find(terminalId);
    if (renamed) await ports.terminals.retire({ ...renamed.terminal, retiredAt: now }, renamed);
    terminalChanged();
    await expect.poll(() => state.snapshot().registered).toEqual([]);
  });

  it("is a payment once its rows have changed, by its identifier in any spelling", async () => {
    await ports.payments.commit(payment, { payment, read: undefined, entry });
    expect(payments()).toEqual([]);
    seen();
    await expect.poll(payments).toMatchObject([{ id, status: "authorized", amount: 12_550, alerts: 0 }]);
    expect((await records.inspect(id.toUpperCase()))?.payment).toMatchObject({ sessionId: payment.sessionId });
    expect((await records.inspect(id))?.history).toMatchObject([{ event: "request" }]);
    expect(await records.inspect(`${payment.partnerId}/${payment.terminalId}/elsewhere`)).toBeUndefined();
    expect(await records.inspect("no identifier")).toBeUndefined();
  });

  it("counts a payment's open alerts, until they are closed", async () => {
    await ports.payments.commit(payment, { payment, read: undefined, entry });
    await raised();
    await expect.poll(() => payments()[0]?.alerts).toBe(1);
    const [view] = state.snapshot().alerts;
    expect(view).toMatchObject({ kind: "outcomeUnknown", sessionId: payment.sessionId, count: 1 });
    expect(records.openAlert(view?.id ?? "")).toMatchObject({ status: "open" });

    const [read] = await ports.alerts.of(payment.sessionId);
    const closed = read && closeAlert(read.alert, { by: "ada", why: "found", at: now });
    if (closed) await ports.alerts.save(closed, read);
    alertsChanged();
    await expect.poll(() => payments()[0]?.alerts).toBe(0);
    expect(state.snapshot().alerts).toEqual([]);
  });

  it("offers only that charge for an alert about a second card, until it is given back", async () => {
    const second = aCharge("reversing", { chargeId: "charge-2", tries: 1 });
    const paid = aPaymentIn("captured", { ...sameSession, charges: [aCharge("captured"), second] });
    await ports.payments.commit(paid, { payment: paid, read: undefined, entry });
    const about = { subject: { kind: "payment", ...paid }, kind: "unwantedApproval", about: "charge-2" } as const;
    const alert = raiseAlert(about, undefined, { by: { sequence: 1 }, at: now });
    if (alert) await ports.alerts.save(alert, undefined);
    alertsChanged();
    const charge = { of: "charge", chargeId: "charge-2" };
    await expect
      .poll(() => state.snapshot().alerts)
      .toMatchObject([
        {
          standing: expect.stringContaining("The charge of 125.50 SEK (charge-2) is being reversed"),
          isOver: false,
          outcomes: [
            { said: { ...charge, outcome: "reversed" }, text: "The charge of 125.50 SEK (charge-2) was returned." },
            { said: { ...charge, outcome: "kept" }, text: "The merchant keeps the charge of 125.50 SEK (charge-2)." },
          ],
        },
      ]);

    const given = { ...paid, sequence: 2, charges: [aCharge("captured"), { ...second, status: "reversed" as const }] };
    const stored = await ports.payments.find(paid);
    await ports.payments.commit(paid, { payment: given, read: stored, entry: { ...entry, sequence: 2 } });
    seen(); // the alert's own row remains
    await expect
      .poll(() => state.snapshot().alerts)
      .toMatchObject([
        { standing: expect.stringMatching(/^Nothing is left to do: .* was reversed/), isOver: true, outcomes: [] },
      ]);
  });

  it("has for operators who decided a change and why, and the key of a request", async () => {
    const operator = { by: "ada", why: "the acquirer's list" };
    await ports.payments.commit(payment, { payment, read: undefined, entry: { ...entry, keyId: "0f3a91c2d4e5b6a7" } });
    const next = { ...payment, sequence: payment.sequence + 1 };
    const decided = { ...entry, sequence: next.sequence, by: "operator", operator } as const;
    const stored = await ports.payments.find(payment);
    await ports.payments.commit(payment, { payment: next, read: stored, entry: decided });
    const inspected = await records.inspect(id);
    const detail = inspected && paymentDetail(inspected, { items: [], left: 0 });
    expect(detail?.changes).toMatchObject([{}, { operator }]);
    expect(detail?.story.map((line) => line.trim())).toContain("key 0f3a91c2d4e5b6a7");
  });

  it("says of a charge what the terminal reported: a contradiction, references, and why the card was declined", async () => {
    const captureEvidence = { acquirer: { rrn: "632610304513" } };
    const codes = { declineCode: "issuerUnavailable", hostCode: "91" } as const;
    const card = { brand: "visa", last4: "4242" };
    const charges = [aCharge("captured", { contradicted: true, card, captureEvidence, ...codes })];
    await ports.payments.commit(payment, {
      payment: aPaymentIn("captured", { ...sameSession, charges, declineCode: "wrongPin" }),
      read: undefined,
      entry,
    });
    const inspected = await records.inspect(id);
    expect(inspected && paymentDetail(inspected, { items: [], left: 0 })).toMatchObject({
      decline: "For the till: The PIN was wrong. Try again.",
      charges: [
        {
          status: "captured",
          contradiction: "the terminal reported a void",
          lines: [
            "visa ···· 4242, A1",
            "capture: RRN 632610304513",
            "For the till: The bank does not respond. Try again in a moment, or try another card. (91)",
          ],
        },
      ],
    });
  });

  it("shows a payment although a row of another one cannot be read", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const another = { sessionId: "unread" };
      const unread = { kind: "insert", rowKey: paymentRow(another), columns: { v: 99, data0: "{}" } } as const;
      await tables.terminals.submit(partition, [unread]);
      await ports.payments.commit(payment, { payment, read: undefined, entry });
      records.changed("terminals", { partition, prefix: paymentPrefix(another) });
      seen();
      await expect.poll(payments).toHaveLength(1);
      expect(said).toHaveBeenCalledOnce();
    } finally {
      said.mockRestore();
    }
  });

  it("has no payment for a session that was cancelled before it was requested", async () => {
    await ports.payments.leaveTombstone(payment, now);
    expect(await records.inspect(id)).toBeUndefined();
  });
});
