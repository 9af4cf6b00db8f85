import type { Change } from "../life/advance.ts";
import { isPossibleDay } from "../../booking.ts";
import { invalidField } from "../../refusal.ts";
import { refuse } from "../../result.ts";
import { isDay } from "../../time.ts";
import { ofCharge, ofDiscount, ofRefund } from "./corrections.ts";
import { MAX_WORDS } from "../record/record-limits.ts";
import type { Charge } from "../record/charge.ts";
import { isFinal, type Payment } from "../record/payment.ts";
import {
  whyNotCorrected,
  type OperatorStep,
  type Resolution,
  type ResolutionContext,
  type Resolved,
} from "./resolution.ts";
import { outsideRefund, storableReference } from "./outside-refund.ts";
import { paid, unpaid } from "./paid-or-unpaid.ts";
import { holdsCardNumber } from "../../card-data.ts";
import { storableText } from "../../texts.ts";

/**
 * Decides an operator's resolution. It ends what the terminal does not end, and corrects an ended outcome that was recorded wrongly. Only a
 * report or an operator may end an unknown outcome. Corrections are made only while an open alert names the payment or its terminal's day.
 * Money that the merchant returned without the terminal needs no alert.
 */
export function decideResolution(payment: Payment, resolution: Resolution, context: ResolutionContext): Resolved {
  const { by, why, note, businessDay } = resolution;
  const reference = resolution.of === "outside" ? resolution.reference : undefined;
  if (businessDay !== undefined && !(isDay(businessDay) && isPossibleDay(businessDay, context.now, payment)))
    return refuse(
      invalidField("business-day", "out_of_range", "must be a day on which the terminal could have counted the money"),
    );
  const numbered = Object.entries({ by, why, note, reference }).find(([, text = ""]) => holdsCardNumber(text));
  if (numbered) return refuse(invalidField(numbered[0], "invalid", "must not contain a card number"));
  const operator = {
    by: storableText(by, MAX_WORDS),
    why: storableText(why, MAX_WORDS),
    ...(reference !== undefined && { reference: storableReference(reference) }),
  };
  const detail = note === undefined ? undefined : storableText(note, MAX_WORDS);
  return decided(payment, resolution, { ...context, by: "operator", operator, detail, businessDay });
}

function decided(payment: Payment, resolution: Resolution, step: OperatorStep): Resolved {
  switch (resolution.of) {
    case "payment": {
      const notNow = isFinal(payment.status) ? whyNotCorrected(payment, step) : undefined;
      return notNow ?? (resolution.outcome === "paid" ? paid(payment, resolution, step) : unpaid(payment, step));
    }
    case "refund":
      return ofRefund(payment, resolution, step);
    case "charge":
      return ofCharge(payment, resolution, step);
    case "discount":
      return ofDiscount(payment, resolution, step);
    case "outside":
      return outsideRefund(payment, resolution, step);
  }
}

/**
 * The sequences of the messages that a resolution makes obsolete. The terminal must not carry them out afterwards. They are the request of
 * a payment in doubt, and the message that an ended payment awaited. They are also the refunds that the resolution concludes, and the voids
 * of charges whose reversal it ends.
 */
export function pointlessMessages(before: Payment, { payment: next }: Change): readonly number[] {
  const hasEnded = before.status !== next.status;
  const request = hasEnded && before.status === "reconciling" ? [1] : [];
  const awaited = hasEnded && before.awaiting ? [before.awaiting.sequence] : [];
  const refunds = before.refunds.flatMap(({ status, sequence }, i) =>
    status === "pending" && next.refunds[i]?.status !== "pending" ? [sequence] : [],
  );
  const voids = before.charges.flatMap((charge, i) => {
    const goesOn = charge.reversal?.sequence === unansweredTry(next.charges[i])?.sequence;
    return unansweredTry(charge) && !goesOn ? [unansweredTry(charge)?.sequence ?? 0] : [];
  });
  return [...request, ...awaited, ...refunds, ...voids];
}

const unansweredTry = (charge: Charge | undefined): Charge["reversal"] =>
  charge?.status === "reversing" ? charge.reversal : undefined;
