import { expect, it } from "vitest";
import { commandOf } from "../../../shared/use-cases/outbox/store-effects.ts";
import { originOf } from "../../../shared/use-cases/payments/payment-origin.ts";
import { createPayment } from "../../../shared/domain/payment/requests/create-payment.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { paymentKeyOf, paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { commandsTable } from "../../../shared/stores/commands.ts";
import { paymentRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { paymentsTable } from "../../../shared/stores/payments.ts";
import { aRequest, partnerId } from "../../support/platform.ts";
import { onBothStores } from "../tables/stores.ts";

const now = "2026-11-21T10:00:00.000Z";
const created = (receipt: string[] = []) => {
  const context = {
    partnerId,
    strictOrder: false,
    possibleDuplicateOf: undefined,
    asksTips: false,
    commandId: "c1",
    now,
    timings: standardTimings,
  };
  const { payment, entry, effects } = createPayment(aRequest({ references: { orderId: "å #1/2" } }), context);
  const key = paymentKeyOf(payment);
  const stored = { ...payment, receipt: { customer: receipt } };
  return {
    key,
    subject: paymentSubjectOf(key),
    commit: {
      payment: stored,
      read: undefined,
      entry,
      command: commandOf({ commandId: "c1" }, effects, originOf(payment, entry.by)),
    },
  };
};

onBothStores("payments", (newTable) => {
  it("stores session, history, command and report in one commit, and returns them unchanged", async () => {
    const rows = await newTable();
    const [payments, commands] = [
      paymentsTable(rows),
      commandsTable({ terminals: rows, actionRequests: rows, landingPages: rows, days: rows }),
    ];
    const { key, subject, commit } = created();
    await payments.commit(key, { ...commit, entry: { ...commit.entry, reportId: "r1", messageId: "m1" } });

    expect(await payments.find(key)).toMatchObject({ payment: JSON.parse(JSON.stringify(commit.payment)) as object });
    expect(await payments.history(key)).toMatchObject([{ sequence: 1, event: "request", to: "pending" }]);
    expect(await commands.find(subject, "c1")).toMatchObject({ state: "ready", sequence: 1, done: [] });
    expect(await payments.findReport(key, "r1")).toEqual({ sequence: 1, messageId: "m1" });
    expect(await payments.findReport(key, "r2")).toBeUndefined();
    expect(await payments.find({ ...key, partnerId: "another" })).toBeUndefined();
  });

  it("keeps a payment that is longer than one column", async () => {
    const payments = paymentsTable(await newTable());
    const receipt = Array.from({ length: 600 }, (_, i) => `line ${i} ${"å".repeat(100)}`);
    const { key, commit } = created(receipt);
    await payments.commit(key, commit);
    expect(await payments.find(key)).toMatchObject({ payment: { receipt: { customer: receipt } } });
  });

  it("refuses a commit to a session that changed since it was read, or with an aborted command", async () => {
    const rows = await newTable();
    const [payments, commands] = [
      paymentsTable(rows),
      commandsTable({ terminals: rows, actionRequests: rows, landingPages: rows, days: rows }),
    ];
    const { key, subject, commit } = created();
    await commands.abortCommand(subject, "c1", now);
    await expect(payments.commit(key, commit)).rejects.toThrow(Conflict);
    expect(await payments.find(key)).toBeUndefined();
    expect(await payments.history(key)).toEqual([]);
    await expect(commands.abortCommand(subject, "c1", now)).rejects.toThrow(Conflict);
    expect(await commands.find(subject, "c1")).toMatchObject({ state: "aborted" });
  });

  it("refuses a commit to a session that has a tombstone", async () => {
    const payments = paymentsTable(await newTable());
    const { key, commit } = created();
    await payments.leaveTombstone(key, now);
    expect(await payments.findOrTombstone(key)).toMatchObject({ isTombstone: true });
    expect(await payments.find(key)).toBeUndefined();
    await expect(payments.commit(key, commit)).rejects.toThrow(Conflict);
  });

  it("marks each effect of a command separately, and only on the version that was read", async () => {
    const rows = await newTable();
    const [payments, commands] = [
      paymentsTable(rows),
      commandsTable({ terminals: rows, actionRequests: rows, landingPages: rows, days: rows }),
    ];
    const { key, subject, commit } = created();
    await payments.commit(key, commit);
    const command = await commands.find(subject, "c1");
    if (!command) throw new Error("no command");
    await commands.markDone(subject, command, "webhook~payment.authorized");
    await expect(commands.markDone(subject, command, "deadline~acceptance")).rejects.toThrow(Conflict);
    expect(await commands.find(subject, "c1")).toMatchObject({ done: ["webhook~payment.authorized"] });
  });

  it("refuses to read a row of a newer version", async () => {
    const rows = await newTable();
    const { key } = created();
    await rows.submit(terminalPartition(key.terminalId), [
      { kind: "insert", rowKey: paymentRow(key), columns: { v: newestVersion + 1, data0: "{}" } },
    ]);
    await expect(paymentsTable(rows).find(key)).rejects.toThrow(Unavailable);
  });
});
