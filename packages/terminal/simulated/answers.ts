import { minorOf } from "./business-day.ts";
import { capturedAmount } from "./scripts.ts";
import type { Answer, CardCharge, Enter, Movement, Session } from "./session.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/**
 * The answer to any message except a payment. The session records everything that the message causes. `enter` records each movement of
 * money.
 */
export function answerTo(message: TerminalMessage, session: Session | undefined, enter: Enter): Answer {
  const answer = answers[message.type];
  return answer ? answer(message, session, enter) : ["acknowledged"];
}

/** The answers by type of message. There is no session if the terminal never began the payment. */
const answers: Readonly<Record<string, typeof answerTo>> = {
  cancel: (_, session) => {
    if (!session) return ["notStarted"];
    if (session.ending) return session.ending;
    session.cancelling.abort();
    return ["acknowledged"];
  },
  statusQuery: ({ refundID }, session) => {
    if (refundID === undefined) return session ? standing(session) : ["notStarted"];
    // The result is not stored: if the refund is requested later, it is made.
    return session?.refunds.get(keyOf(refundID)) ?? ["refundFailed", { refundID, detail: "no such refund" }];
  },
  discount: ({ discountID, totalAmountInclVat }, session) => {
    if (!session || session.ending) return ["discountRefused", { discountID }];
    session.total = totalAmountInclVat ?? session.total;
    return ["discountApplied", { discountID }];
  },
  capture: (message, session, enter) => {
    const charge = chargeOf(message, session);
    if (!charge || charge.isVoided) return ["captureFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (session?.script.captureFails) {
      return ["captureFailed", { chargeID: charge.chargeID, detail: "host unreachable" }];
    }
    if (charge.captured !== undefined) return capturedOf(charge, charge.captured);
    charge.captured = capturedAmount(session?.script, message.amount ?? charge.amount, charge.currency);
    charge.capturedOn = enter(movementOf(message, "capture", { ...charge, amount: charge.captured }));
    return capturedOf(charge, charge.captured);
  },
  void: (message, session, enter) => {
    const charge = chargeOf(message, session);
    if (!charge) return ["voidFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (!charge.isVoided && charge.failedVoids < (session?.script.failingVoids ?? 0)) {
      charge.failedVoids++;
      return ["voidFailed", { chargeID: charge.chargeID, detail: "host unreachable" }];
    }
    if (!charge.isVoided) {
      charge.isVoided = true;
      charge.voidedOn = enter(movementOf(message, "void", charge));
    }
    return voidedOf(charge);
  },
  refund: (message, session, enter) => {
    const { refundID = "", chargeID, amount, currency } = message;
    const charge = chargeOf(message, session);
    if (!session || !charge) return ["refundFailed", { refundID, chargeID, detail: "no such charge" }];
    return refundedOnce(refundID, session, () => {
      if (session.script.refundFails) return ["refundFailed", { refundID, chargeID, detail: "refund refused" }];
      const back = { ...charge, amount: amount ?? charge.amount, refundID };
      const refunded = (charge.refunded ?? 0) + minorOf(back.amount, charge.currency);
      if (refunded > minorOf(refundable(charge, session), charge.currency))
        return ["refundFailed", { refundID, chargeID, detail: "more than is left of the charge" }];
      charge.refunded = refunded;
      const businessDay = enter(movementOf(message, "refund", back));
      return ["refunded", { refundID, chargeID, amount, currency, businessDay }];
    });
  },
};

/** The movement of money that a message requests on the charge's card. */
const movementOf = (
  { sessionID }: TerminalMessage,
  moved: Movement["moved"],
  { chargeID, refundID, amount, currency }: Pick<Movement, "chargeID" | "refundID" | "amount" | "currency">,
): Movement => ({ moved, sessionID, chargeID, ...(refundID !== undefined && { refundID }), amount, currency });

/** The charge that a message names. If it names none, the session's first charge. */
const chargeOf = ({ chargeID }: TerminalMessage, session: Session | undefined): CardCharge | undefined =>
  chargeID === undefined ? session?.charges[0] : session?.charges.find((charge) => charge.chargeID === chargeID);

/** The largest sum of a charge's refunds: the captured amount, or zero if the charge was given back. */
function refundable({ amount, captured = 0, isVoided }: CardCharge, { message }: Session): number {
  if (isVoided) return 0;
  return message.captureMode === "automatic" ? amount : captured;
}

/** The stored result of a refund. Every later message about the refund gets the same answer. */
function refundedOnce(refundID: string, { refunds }: Session, first: () => Answer): Answer {
  const answer = refunds.get(keyOf(refundID)) ?? first();
  refunds.set(keyOf(refundID), answer);
  return answer;
}

/** Partners write identifiers in any case, so a repeated request may have a different case. */
export const keyOf = (identifier: string): string => identifier.toLowerCase();

/** The session's state: the void or capture of its first charge, otherwise its ending. Without an ending it is still running. */
function standing({ ending, charges: [first] }: Session): Answer {
  if (first?.isVoided) return voidedOf(first);
  if (first?.captured !== undefined) return capturedOf(first, first.captured);
  return ending ?? ["stillRunning"];
}

const capturedOf = ({ chargeID, currency, capturedOn }: CardCharge, amount: number): Answer => [
  "captured",
  { chargeID, amount, currency, businessDay: capturedOn },
];

const voidedOf = ({ chargeID, voidedOn }: CardCharge): Answer => ["voided", { chargeID, businessDay: voidedOn }];
