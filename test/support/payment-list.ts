import type { Payment } from "../../shared/domain/payment/record/payment.ts";
import type { PaymentQuery, TimeRange } from "../../shared/domain/payment/record/payment-query.ts";
import { after, type Instant } from "../../shared/domain/time.ts";
import { eachTable, tablePorts } from "../../shared/stores/stores.ts";
import { createdEntryOf } from "../../shared/use-cases/payments/enter-session.ts";
import { listPayments } from "../../shared/use-cases/payments/list-payments.ts";
import { aPaymentIn } from "./a-payment.ts";
import { countingRows, type TableCall } from "../bench/counting-ports.ts";
import { inMemoryRows } from "./in-memory-rows.ts";
import { caller } from "./platform.ts";

/** The day of the payments. */
export const day = { from: "2026-11-21T00:00:00.000Z", before: "2026-11-22T00:00:00.000Z" };
export const noon = "2026-11-21T12:00:00.000Z";

/** A partner's payments in their own tables, read at a moment that the test chooses. */
export function aPaymentList() {
  const calls: TableCall[] = [];
  const ports = tablePorts(eachTable((table) => countingRows(table, inMemoryRows(), (call) => void calls.push(call))));
  let made = 0;
  return {
    ports,
    calls,
    payment(createdAt: Instant, more: Partial<Payment> = {}): Payment {
      const number = String(++made).padStart(12, "0");
      const requestedBy = `dddddddd-0000-4000-8000-${number}`;
      return { ...aPaymentIn("pending"), createdAt, requestedBy, ...more };
    },
    /** A request of the same session enters it once more. */
    enter: async (payment: Payment) =>
      ports.sessions.enter(createdEntryOf(payment), await ports.sessions.find(payment)),
    async commit(payment: Payment) {
      const entry = { sequence: 1, at: payment.createdAt, by: "partner", event: "request", to: "pending" } as const;
      await ports.payments.commit(payment, { payment, read: undefined, entry });
    },
    async page({ from, before, ...query }: Filter = {}, more: Partial<Reading> = {}) {
      const { now = after(noon, 3600), limit = 50, cursor, terminalIds } = more;
      const call = { caller: { ...caller, terminalIds }, now: () => now, newId: () => "" };
      const page = await listPayments(
        ports,
        call,
        { range: { from: from ?? day.from, before: before ?? day.before }, ...query },
        { limit, after: cursor },
      );
      if (!page.ok) throw new Error(JSON.stringify(page.error));
      return { sessions: page.value.payments.map(({ sessionId }) => sessionId), next: page.value.next };
    },
  };
}
type Filter = Partial<TimeRange> & Omit<PaymentQuery, "range">;

interface Reading {
  readonly now: Instant;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly terminalIds: readonly string[];
}

/** A payment list with this many payments, a second apart, after noon. */
export async function aFilledList(count: number, more: (i: number) => Partial<Payment> = () => ({})) {
  const list = aPaymentList();
  const sessions: string[] = [];
  for (let i = 0; i < count; i++) {
    const payment = list.payment(after(noon, i), more(i));
    await list.enter(payment);
    await list.commit(payment);
    sessions.push(payment.sessionId);
  }
  list.calls.length = 0;
  return { ...list, sessions };
}
