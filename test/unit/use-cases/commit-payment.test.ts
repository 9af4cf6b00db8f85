import { describe, expect, it } from "vitest";
import { raiseAlert } from "../../../shared/domain/alert.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { reportTypes } from "../../../shared/domain/payment/record/events.ts";
import { after } from "../../../shared/domain/time.ts";
import type { Row, Rows } from "../../../shared/ports/rows.ts";
import { previewResolution, recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { aCharge, aPaymentOn, approval } from "../../support/a-payment.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import { fc } from "../../support/drawn.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, aTerminal } from "../../support/platform.ts";

// The rows in memory refuse a group that Azure would refuse. So a use case fails here if its group has more than a hundred rows.

const MOST_REFUNDS = 100;
const MOST_CHARGES = 20;

/** A captured payment on a terminal whose rows can be put back. Its business days are closed, so its money is booked late. */
async function aCaptured() {
  let [current, largest] = [inMemoryRows(), 0];
  const terminals: Rows = {
    get: (...given) => current.get(...given),
    withPrefix: (...given) => current.withPrefix(...given),
    after: (...given) => current.after(...given),
    remove: (...given) => current.remove(...given),
    submit(partition, operations) {
      largest = Math.max(largest, operations.length);
      return current.submit(partition, operations);
    },
  };
  const platform = await aPlatform({ open: (table) => (table === "terminals" ? terminals : inMemoryRows()) });
  const payment = await aPaymentOn(platform, { captureMode: "automatic" });
  await payment.sendReport("authorized", { ...approval, messageId: (await payment.fetch())?.messageId });
  const { terminalId } = payment;
  const closedAt = platform.deps.clock.now();
  const closeDay = async (day: string) => {
    const read = await platform.deps.terminalDays.find({ terminalId, day });
    await platform.deps.terminalDays.closeBooks({ terminalId, day }, closedAt, read);
  };
  return {
    platform,
    payment,
    closeDay,
    /** Keeps the state of the terminal, to go back to it. */
    async kept() {
      const all: Row[] = [];
      for await (const row of current.rowsAfter()) all.push(row);
      return async () => {
        [current, largest] = [inMemoryRows(), 0];
        for (const { partitionKey, rowKey, columns } of all)
          await current.submit(partitionKey, [{ kind: "insert", rowKey, columns }]);
      };
    },
    largest: () => largest,
  };
}

/** A captured payment with as many pending refunds as it can have. The terminal has fetched the messages of the first ones. */
async function aFull(fetched: number) {
  const captured = await aCaptured();
  const { platform, payment } = captured;
  for (let i = 0; i < MOST_REFUNDS; i++) await payment.refund(0.01, { idempotencyKey: `refund ${i}` });
  await captured.closeDay("2026-11-21");
  const { clock, inboxes } = platform.deps;
  for (const message of (await inboxes.unanswered(payment.terminalId)).slice(0, fetched))
    await inboxes.lease(payment.terminalId, message, after(clock.now(), 30));
  return { ...captured, ...(await payment.now()) };
}

it("the group of any report has a hundred rows at most, whatever messages it answers or contradicts", async () => {
  const { kept, largest, payment, refunds } = await aFull(MOST_REFUNDS / 2);
  const again = await kept();
  let most = 0;
  const drawn = fc.record({
    type: fc.constantFrom(...reportTypes),
    chargeId: fc.constantFrom("charge-1", "charge-2", undefined),
    about: fc.nat(MOST_REFUNDS - 1),
    isNamed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ type, chargeId, about, isNamed }) => {
      await again();
      const { refundId, commandId: messageId } = refunds[about] ?? {};
      const said = { ...approval, chargeId, refundId, ...(isNamed && { messageId }) };
      expect(await payment.sendReport(type, said, "wait")).toMatchObject({ ok: true });
      most = Math.max(most, largest());
    }),
    { numRuns: 100 },
  );
  expect(most).toBeGreaterThan(30);
});

it("the group of a restart has a hundred rows at most, whatever messages the terminal had fetched", async () => {
  const { kept, largest, payment, platform } = await aFull(MOST_REFUNDS);
  await (
    await kept()
  )();
  const call = callFrom(platform.deps, aTerminal({ terminalId: payment.terminalId }));
  await requeryAfterRestart(platform.deps, call, { reportId: "restart-1", memory: "lost" });
  expect((await payment.now()).refunds.filter(({ terminalForgot }) => terminalForgot)).toHaveLength(MOST_REFUNDS);
  expect(await payment.open()).not.toContain("refund");
  expect(largest()).toBeGreaterThan(80);
});

/** A payment with charges that an operator left with the merchant, and of which the terminal then reported a void. */
async function aContradicted(count: number) {
  const captured = await aCaptured();
  const { closeDay, payment, platform } = captured;
  const { alerts, clock, payments } = platform.deps;
  const days = Array.from({ length: count }, (_, i) => `2026-11-${String(i + 1).padStart(2, "0")}`);
  for (const day of [...days, "2026-11-21"]) await closeDay(day);
  const [read, [entry]] = await Promise.all([payments.find(payment.key), payments.history(payment.key)]);
  if (!read || !entry) throw new Error("the payment is gone");
  const sequence = read.payment.sequence + 1;
  const charges = days.map((businessDay, i) =>
    aCharge("kept", { chargeId: `c${i}`, amount: 100, contradicted: true, correction: { amount: 50, businessDay } }),
  );
  const amounts = { ...read.payment.amounts, captured: 100 * count, authorized: 100 * count };
  await payments.commit(payment.key, {
    payment: { ...read.payment, charges, amounts, sequence },
    read,
    entry: { ...entry, sequence, reportId: undefined },
    command: undefined,
  });
  const subject = { kind: "payment", ...payment.key } as const;
  const alert = raiseAlert({ subject, kind: "contradictingReport" }, undefined, {
    by: { sequence },
    at: clock.now(),
  });
  if (alert) await alerts.save(alert, undefined);
  const seen = { ...payment.key, sequence };
  const said = (outcome: Outcome) => ({ ...outcome, by: "ada", why: "the acquirer's list" });
  return {
    ...captured,
    resolve: (outcome: Outcome) => recordResolution(platform.deps, aCall(platform.deps), seen, said(outcome)),
    preview: (outcome: Outcome) => previewResolution(platform.deps, aCall(platform.deps), seen, said(outcome)),
  };
}

describe("the group of a resolution that moves the money of many charges", () => {
  it("has a hundred rows at most, although each booking is late", async () => {
    const { largest, resolve } = await aContradicted(7);
    expect(await resolve({ of: "payment", outcome: "unpaid" })).toMatchObject({ ok: true });
    expect(largest()).toBeGreaterThan(40);
  });

  it("is refused if it would be larger, as its preview says, and each charge can be resolved by itself", async () => {
    const { resolve, preview } = await aContradicted(MOST_CHARGES);
    const detail = expect.stringContaining("moves money more than 15 times") as string;
    const unpaid = { of: "payment", outcome: "unpaid" } as const;
    expect(await preview(unpaid)).toMatchObject({ error: { detail } });
    expect(await resolve(unpaid)).toMatchObject({ error: { detail } });
    expect(await resolve({ of: "charge", outcome: "reversed", chargeId: "c3" })).toMatchObject({ ok: true });
  });
});
