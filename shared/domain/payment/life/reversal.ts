import type { RaisedAlert } from "../../alert.ts";
import { after, msBetween, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { wantedCharge, type Charge, type VoidReason } from "../record/charge.ts";
import type { Payment } from "../record/payment.ts";
import type { Brought } from "./deadlines.ts";

// Charges are given back in one way: by tries. Each try is a message of its own, because a terminal answers a repeated message with its
// first result. The pause after a try is `retryVoidSeconds`, and doubles with each try: they begin after 0, 6, 18, 42, 90 and 186 hours.

/** The number of tries. After the last one, an operator must have the money given back. */
const MAX_TRIES = 6;
/** From this number of failed tries on, each failure calls an operator. */
const CALLING_TRIES = 4;
/** A message that the terminal has not fetched for this many days calls an operator, at most once a day. */
const CALLING_DAYS = 2;
const DAY_MS = 24 * 3600 * 1000;

/** The moment of a change, and the durations that apply. */
interface Moment {
  readonly now: Instant;
  readonly timings: Timings;
}

/** A charge, and the message and the deadline of its reversal. */
interface Begun {
  readonly charge: Charge;
  readonly effects: readonly Brought[];
}

/** Starts a try to reverse a charge: the charge as `reversing`, the message to the terminal, and the deadline that ends the try. */
export function reversing(charge: Charge, sequence: number, moment: Moment): Begun {
  const { chargeId, amount, currency, tries } = charge;
  const { now, timings } = moment;
  const pause = tries + 1 < MAX_TRIES ? timings.retryVoidSeconds * 2 ** tries : timings.retryVoidSeconds;
  return {
    charge: { ...charge, status: "reversing", reversal: { sequence, since: now }, updatedAt: now },
    effects: [
      { kind: "message", message: { type: "void", chargeId, amount, currency } },
      { kind: "deadline", name: "reversal", about: chargeId, at: after(now, pause) },
    ],
  };
}

/** Starts to give the payment's own charge back. Undefined if it has none. */
export function ownReversal(payment: Payment, voidReason: VoidReason, moment: Moment): Begun | undefined {
  const own = wantedCharge(payment);
  return own && reversing({ ...own, voidReason, tries: 0 }, payment.sequence + 1, moment);
}

type Reversing = Charge & { readonly reversal: NonNullable<Charge["reversal"]> };

/** Whether the charge is being reversed, and its try has begun. */
export const isTried = (charge: Charge): charge is Reversing =>
  charge.status === "reversing" && charge.reversal !== undefined;

/** The message stays due, because the terminal has not fetched it. Only its deadline is set anew. */
export const stillDue = (charge: Reversing, { now, timings }: Moment): Begun => ({
  charge: { ...charge, updatedAt: now },
  effects: [{ kind: "deadline", name: "reversal", about: charge.chargeId, at: after(now, timings.retryVoidSeconds) }],
});

/** Whether the try's message has waited so long for its terminal that it is withdrawn. */
export const isGivenUp = ({ reversal }: Reversing, { now, timings }: Moment): boolean =>
  msBetween(reversal.since, now) >= timings.authorizationSeconds * 1000;

/** Whether the charge had its last try. */
export const isSpent = ({ tries }: Charge): boolean => tries >= MAX_TRIES;

const notGivenBack = ({ chargeId: about }: Charge, detail: string): readonly RaisedAlert[] => [
  { alert: "reversalFailed", about, detail },
];

/** The alert for a failed try, if so many have failed. A try calls once. */
export const failedTry = (charge: Reversing): readonly RaisedAlert[] =>
  charge.tries + 1 >= CALLING_TRIES && !charge.reversal.failed
    ? notGivenBack(charge, `the terminal failed to give the charge back ${charge.tries + 1} times; tries go on`)
    : [];

/** The alert for a message that waits for its terminal, once each day from the second on. */
export function unfetchedTry(charge: Reversing, { now }: Pick<Moment, "now">): readonly RaisedAlert[] {
  const daysUntil = (time: Instant) => Math.floor(msBetween(charge.reversal.since, time) / DAY_MS);
  const days = daysUntil(now);
  return days >= CALLING_DAYS && days > daysUntil(charge.updatedAt)
    ? notGivenBack(charge, `the terminal has not fetched the void for ${days} days; it stays due`)
    : [];
}

/** The alert after the last try. */
export const lastTry = (charge: Charge): readonly RaisedAlert[] =>
  notGivenBack(charge, "the terminal did not give the charge back; there are no more tries");
