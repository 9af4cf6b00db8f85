import { paymentHasEnded } from "../../../domain/payment/record/ended.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import type { Day, Instant } from "../../../domain/time.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import type { InboxRow } from "../../../stores/inboxes.ts";
import { eachOf } from "../../each-of.ts";
import { allTerminals, walk, type OnProgress, type TerminalPlacesDeps } from "../places.ts";
import { messagesOf, openAt, type PaymentSubject } from "./open-at.ts";
import { isOverdue, undoneIn, type Undone } from "./undone.ts";
import type { Needs } from "../../needs.ts";

export type ListPaymentsDeps = TerminalPlacesDeps & Needs<"commands" | "inboxes" | "marks" | "payments">;

/** A payment that is stuck or has overdue work. */
export interface OverduePayment {
  readonly payment: Payment;
  /** Its effects that should have been carried out ten minutes ago or earlier. */
  readonly overdue: readonly Undone[];
  /** The payment has not ended and its last deadline has passed. Only an operator, or a late report of its terminal, can advance it. */
  readonly isStuck: boolean;
}

/** The payments that are stuck or have overdue work, oldest first. Reads only what each terminal has open. Throws `Unavailable`. */
export async function overduePayments(
  deps: ListPaymentsDeps,
  { now, onProgress }: { readonly now: () => Instant; readonly onProgress?: OnProgress },
): Promise<readonly OverduePayment[]> {
  const found = await walk(
    await allTerminals(deps),
    async (place) => {
      const { subjects, inbox } = await openAt(deps, place);
      const payments = subjects.filter((subject) => subject.kind === "payment");
      return eachOf(payments, (subject) => lookAt(deps, subject, inbox, now()));
    },
    onProgress,
  );
  return found
    .flat()
    .filter((one) => one !== undefined)
    .filter(({ isStuck, overdue }) => isStuck || overdue.length > 0)
    .toSorted((one, other) => byAge(one.payment, other.payment));
}

async function lookAt(
  deps: ListPaymentsDeps,
  subject: PaymentSubject,
  inbox: readonly InboxRow[],
  now: Instant,
): Promise<OverduePayment | undefined> {
  const [payment, commands] = await Promise.all([read(deps, subject), deps.commands.ofSubject(subject)]);
  if (!payment) return undefined;
  return {
    payment,
    overdue: undoneIn(commands, { payment, inbox: messagesOf(inbox, subject) }, now).filter((one) =>
      isOverdue(one, now),
    ),
    isStuck: payment.deadlines.length === 0 && !paymentHasEnded(payment),
  };
}

/** The payments that had a commit on that UTC day, in their present state, oldest first. Throws `Unavailable`. */
export async function paymentsOfDay(
  deps: ListPaymentsDeps,
  day: Day,
  onProgress?: OnProgress,
): Promise<readonly Payment[]> {
  const places = await allTerminals(deps);
  const changed = await walk(places, (place) => deps.marks.changedOn(place, "payment", day), onProgress);
  const found = await eachOf(changed.flat(), (subject) => read(deps, subject));
  return found.filter((payment) => payment !== undefined).toSorted(byAge);
}

const byAge = (one: Payment, other: Payment): number => (one.createdAt < other.createdAt ? -1 : 1);

const read = async ({ payments }: ListPaymentsDeps, key: PaymentKey): Promise<Payment | undefined> =>
  (await payments.find(key))?.payment;
