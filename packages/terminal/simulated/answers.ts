import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { tipIn } from "../../../shared/domain/payment/record/tip.ts";
import { minorOf } from "./minor-of.ts";
import { cardOf, receiptOf, referencesOf } from "./evidence.ts";
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
  discount: ({ discountID, totalAmountInclVat, tip }, session) => {
    if (!session || session.ending) return ["discountRefused", { discountID }];
    session.total = totalAmountInclVat ?? session.total;
    session.tip = tip;
    session.chosenTip = undefined;
    return ["discountApplied", { discountID }];
  },
  capture: (message, session, enter) => {
    const charge = chargeOf(message, session);
    if (!session || !charge || charge.isVoided)
      return ["captureFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (session.script.captureFails) return ["captureFailed", { chargeID: charge.chargeID, ...unreachable }];
    if (charge.captured !== undefined) return capturedOf(session, charge, charge.captured);
    charge.captured = capturedAmount(session.script, message.amount ?? charge.amount, charge.currency);
    charge.capturedOn = enter(movementOf(session, "capture", { ...charge, amount: charge.captured }));
    return capturedOf(session, charge, charge.captured);
  },
  void: (message, session, enter) => {
    const charge = chargeOf(message, session);
    if (!session || !charge) return ["voidFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (!charge.isVoided && charge.failedVoids < (session.script.failingVoids ?? 0)) {
      charge.failedVoids++;
      return ["voidFailed", { chargeID: charge.chargeID, ...unreachable }];
    }
    if (!charge.isVoided) {
      charge.isVoided = true;
      charge.voidedOn = enter(movementOf(session, "void", charge));
    }
    return voidedOf(session, charge);
  },
  refund: (message, session, enter) => {
    const { refundID = "", chargeID, amount, currency } = message;
    const charge = chargeOf(message, session);
    if (!session || !charge) return ["refundFailed", { refundID, chargeID, detail: "no such charge" }];
    return refundedOnce(refundID, session, () => {
      if (session.script.refundFails) return ["refundFailed", { refundID, chargeID, ...refused }];
      const back = { ...charge, amount: amount ?? charge.amount, refundID };
      const refunded = (charge.refunded ?? 0) + minorOf(back.amount, charge.currency);
      if (refunded > minorOf(refundable(charge, session), charge.currency))
        return ["refundFailed", { refundID, chargeID, detail: "more than is left of the charge" }];
      charge.refunded = refunded;
      const movement = movementOf(session, "refund", back);
      const businessDay = enter(movement);
      return ["refunded", { refundID, chargeID, amount, currency, businessDay, ...evidenceOf(session, movement) }];
    });
  },
};

/** The acquirer's answers to a request that it does not carry out. */
const unreachable = { detail: "host unreachable", declineCode: "issuerUnavailable", hostCode: "91" };
const refused = { detail: "refund refused", declineCode: "notPermitted", hostCode: "57" };

/** A movement of money on the charge's card. */
function movementOf(
  session: Session,
  moved: Movement["moved"],
  { chargeID, refundID, amount, currency }: Pick<Movement, "chargeID" | "refundID" | "amount" | "currency">,
): Required<Pick<Movement, "card" | "acquirer">> & Movement {
  const named = { moved, chargeID, ...(refundID !== undefined && { refundID }) };
  const evidence = { card: cardOf(session.charges, chargeID), acquirer: referencesOf(named) };
  return { ...named, sessionID: session.message.sessionID, amount, currency, ...evidence };
}

const slips = { charge: "Sale", capture: "Capture", refund: "Refund", void: "Reversal" } as const;

/** The members of a movement's report about its card, the acquirer's references and the receipt. */
const evidenceOf = (session: Session, movement: ReturnType<typeof movementOf>, tip?: number) => {
  const { moved, card, acquirer } = movement;
  const slip = tip === undefined ? movement : { ...movement, tip };
  return { card, acquirer, receipt: receiptOf(slips[moved], session.message, slip) };
};

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
function standing(session: Session): Answer {
  const { ending, charges } = session;
  const [first] = charges;
  if (first?.isVoided) return voidedOf(session, first);
  if (first?.captured !== undefined) return capturedOf(session, first, first.captured);
  return ending ?? ["stillRunning"];
}

const capturedOf = (session: Session, charge: CardCharge, amount: number): Answer => {
  const { chargeID, currency, capturedOn: businessDay } = charge;
  const tipAmount = capturedTip(charge, amount);
  const evidence = evidenceOf(session, movementOf(session, "capture", { ...charge, amount }), tipAmount);
  const tip = tipAmount === undefined ? {} : { tipAmount };
  return ["captured", { chargeID, amount, ...tip, currency, businessDay, ...evidence }];
};

/** The tip in a captured amount. Undefined if the charge names none. */
function capturedTip({ amount, tip, currency }: CardCharge, captured: number): number | undefined {
  if (tip === undefined) return undefined;
  const charged = { amount: minorOf(amount, currency), tip: minorOf(tip, currency) };
  return fromMinorUnits(tipIn(charged, minorOf(captured, currency)), currency);
}

const voidedOf = (session: Session, charge: CardCharge): Answer => {
  const { chargeID, captured: amount = charge.amount, voidedOn: businessDay } = charge;
  return [
    "voided",
    { chargeID, businessDay, ...evidenceOf(session, movementOf(session, "void", { ...charge, amount })) },
  ];
};
