import { paymentHasEnded } from "../../../domain/payment/record/ended.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import type { Day, Instant } from "../../../domain/time.ts";
import type { Subject } from "../../../ports/subjects.ts";
import { openMessages } from "../../terminals/open-messages.ts";
import { eachOf } from "../../each-of.ts";
import { isOverdue, undoneIn, type Undone } from "./undone.ts";
import type { Needs } from "../../needs.ts";

export type ListPaymentsDeps = Needs<"commands" | "inboxes" | "listings" | "payments">;

/** A payment that is stuck or has overdue work. */
export interface OverduePayment {
  readonly payment: Payment;
  /** Its effects that should have been carried out ten minutes ago or earlier. */
  readonly overdue: readonly Undone[];
  /** The payment has not ended and its last deadline has passed. Only an operator, or a late report of its terminal, can advance it. */
  readonly isStuck: boolean;
}

/** The payments that are stuck or have overdue work, oldest first. Reads only the open subjects. Throws `Unavailable`. */
export async function overduePayments(
  deps: ListPaymentsDeps,
  { now }: { readonly now: () => Instant },
): Promise<readonly OverduePayment[]> {
  const entries = await deps.listings.listOpen("payment");
  const found = await eachOf(entries, ({ subject }) => lookAt(deps, subject, now()));
  return found
    .filter((one) => one !== undefined)
    .filter(({ isStuck, overdue }) => isStuck || overdue.length > 0)
    .toSorted((one, other) => byAge(one.payment, other.payment));
}

async function lookAt(deps: ListPaymentsDeps, subject: Subject, now: Instant): Promise<OverduePayment | undefined> {
  const payment = await read(deps, subject);
  if (!payment) return undefined;
  const [commands, inbox] = await Promise.all([deps.commands.ofSubject(subject), openMessages(deps, payment)]);
  const undone = undoneIn(commands, payment, inbox);
  return {
    payment,
    overdue: undone.filter((one) => isOverdue(one, now)),
    isStuck: payment.deadlines.length === 0 && !paymentHasEnded(payment),
  };
}

/** The payments that had a commit on that UTC day, in their present state, oldest first. Throws `Unavailable`. */
export async function paymentsOfDay(deps: ListPaymentsDeps, day: Day): Promise<readonly Payment[]> {
  const found = await eachOf(await deps.listings.ofDay(day, "payment"), (subject) => read(deps, subject));
  return found.filter((payment) => payment !== undefined).toSorted(byAge);
}

const byAge = (one: Payment, other: Payment): number => (one.createdAt < other.createdAt ? -1 : 1);

const read = async ({ payments }: ListPaymentsDeps, subject: Subject): Promise<Payment | undefined> =>
  subject.kind === "payment" ? (await payments.find(subject))?.payment : undefined;
