import type { Effect } from "../../effects.ts";
import { after, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import type { Deadline } from "../record/deadline.ts";
import type { Payment } from "../record/payment.ts";
import { isAwaited, waitsForAnswer } from "./timeouts.ts";
import { firstLook, waitOf } from "./waits.ts";

/** A deadline that a decision sets. The payment holds it, so it is not an effect of its command. */
export interface SetDeadline extends Deadline {
  readonly kind: "deadline";
}

/** An effect of a decision, or a deadline that it sets. */
export type Brought = Effect<"payment"> | SetDeadline;

/** Seconds after which a look that has not come is taken to be lost. */
const LOST_SECONDS = 60;

/**
 * Moves the deadlines that a decision sets into the payment, the earliest first. A deadline replaces the earlier one of its name about the
 * same refund or charge. The deadlines that the payment does not await any more leave.
 */
export function withDeadlines(
  payment: Payment,
  brought: readonly Brought[],
): { readonly payment: Payment; readonly effects: readonly Effect<"payment">[] } {
  const set = brought.filter(isDeadline).map(({ kind: _, ...deadline }) => deadline);
  const kept = payment.deadlines.filter((one) => !set.some((other) => isSame(one, other)));
  const deadlines = [...kept, ...set].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return { payment: withAwaited({ ...payment, deadlines }), effects: brought.filter((one) => !isDeadline(one)) };
}

/** The payment without the deadlines that it does not await any more. */
export const withAwaited = (payment: Payment): Payment => ({
  ...payment,
  deadlines: payment.deadlines.filter((one) => isAwaited(payment, one)),
});

const isDeadline = (one: Brought): one is SetDeadline => one.kind === "deadline";

const isSame = (one: Deadline, other: Deadline): boolean => one.name === other.name && one.about === other.about;

/** The payment after this deadline was acted on. */
export const withoutDeadline = (payment: Payment, deadline: Deadline): Payment => ({
  ...payment,
  deadlines: payment.deadlines.filter((one) => !isSame(one, deadline)),
});

/**
 * When a change of a payment needs a look. A capture or a refund that begins to wait always needs its own first look, which sends itself
 * again. Otherwise undefined if another look comes in time: the one for the earliest moment that the payment awaited before. That look may be lost if the moment passed a
 * minute ago. It may also be over if its deadline waits for the answer to a restore's query.
 *
 * @param before the payment that the change was decided on; undefined for a new one
 */
export function lookOf(before: Payment | undefined, next: Payment, timings: Timings): Instant | undefined {
  const isNew = (one: Deadline) => !before?.deadlines.some((other) => isSame(one, other));
  const begun = next.deadlines.filter(isNew).flatMap((one) => waitOf(next, one) ?? []);
  const looks = [...begun.map((wait) => firstLook(wait, timings)), otherLook(before, next) ?? []].flat();
  return looks.toSorted()[0];
}

/** The look for the first of the payment's deadlines that end no wait. Undefined if another one comes in time. */
function otherLook(before: Payment | undefined, next: Payment): Instant | undefined {
  const first = next.deadlines.find((one) => !waitOf(next, one));
  const awaited = before?.deadlines.find((one) => !waitOf(before, one) && !waitsForAnswer(before, one));
  const isInTime = first && awaited && awaited.at <= first.at && next.updatedAt < after(awaited.at, LOST_SECONDS);
  return isInTime ? undefined : first?.at;
}

/**
 * The moment from which a look may find something to do: the earliest deadline, or the first look at a message that waits. Undefined if the
 * payment awaits nothing.
 */
export function earliestLook(payment: Payment, timings: Timings): Instant | undefined {
  const looks = payment.deadlines.map((deadline) => {
    const wait = waitOf(payment, deadline);
    return wait ? firstLook(wait, timings) : deadline.at;
  });
  return looks.toSorted()[0];
}
