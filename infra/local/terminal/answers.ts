import { capturedAmount } from "./scripts.ts";
import type { Answer, CardCharge, Session } from "./session.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/** The answer to a message other than a payment. The session records everything that the message causes. */
export function answerTo(message: TerminalMessage, session: Session | undefined): Answer {
  const answer = answers[message.type];
  return answer ? answer(message, session) : ["acknowledged"];
}

/** By the message's type. There is no session where the terminal never began the payment. */
const answers: Readonly<Record<string, typeof answerTo>> = {
  cancel: (_, session) => {
    if (!session) return ["notStarted"];
    if (session.ending) return session.ending;
    session.aborted = true;
    return ["acknowledged"];
  },
  statusQuery: ({ refundID }, session) => {
    if (refundID === undefined) return session ? standing(session) : ["notStarted"];
    return refundedOnce(refundID, session, () => ["refundFailed", { refundID, detail: "no such refund" }]);
  },
  discount: ({ discountID, totalAmountInclVat }, session) => {
    if (!session || session.ending) return ["discountRefused", { discountID }];
    session.total = totalAmountInclVat ?? session.total;
    return ["discountApplied", { discountID }];
  },
  capture: (message, session) => {
    const charge = chargeOf(message, session);
    if (!charge || charge.isVoided) return ["captureFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (session?.script.captureFails) {
      return ["captureFailed", { chargeID: charge.chargeID, detail: "host unreachable" }];
    }
    charge.captured ??= capturedAmount(session?.script, message.amount ?? charge.amount, charge.currency);
    return capturedOf(charge, charge.captured);
  },
  void: (message, session) => {
    const charge = chargeOf(message, session);
    if (!charge) return ["voidFailed", { chargeID: message.chargeID, detail: "no such charge" }];
    if (!charge.isVoided && charge.failedVoids < (session?.script.failingVoids ?? 0)) {
      charge.failedVoids++;
      return ["voidFailed", { chargeID: charge.chargeID, detail: "host unreachable" }];
    }
    charge.isVoided = true;
    return voidedOf(charge);
  },
  refund: (message, session) => {
    const { refundID = "", chargeID, amount, currency } = message;
    const isKnown = chargeID === undefined || chargeOf(message, session) !== undefined;
    const detail = isKnown ? "refund refused" : "no such charge";
    return refundedOnce(refundID, session, () =>
      session?.script.refundFails || !isKnown
        ? ["refundFailed", { refundID, chargeID, detail }]
        : ["refunded", { refundID, chargeID, amount, currency }],
    );
  },
};

/** The charge that a message names, or the session's first where it names none. */
const chargeOf = ({ chargeID }: TerminalMessage, session: Session | undefined): CardCharge | undefined =>
  chargeID === undefined ? session?.charges[0] : session?.charges.find((charge) => charge.chargeID === chargeID);

/** The first result of a refund. Every later message about it gets the same answer. */
function refundedOnce(refundID: string, session: Session | undefined, first: () => Answer): Answer {
  const answer = session?.refunds.get(refundID) ?? first();
  session?.refunds.set(refundID, answer);
  return answer;
}

/** The session's state: the result of the card that ended it, else its ending. */
function standing({ ending, charges: [first] }: Session): Answer {
  if (first?.isVoided) return voidedOf(first);
  if (first?.captured !== undefined) return capturedOf(first, first.captured);
  return ending ?? ["stillRunning"];
}

const capturedOf = ({ chargeID, currency }: CardCharge, amount: number): Answer => [
  "captured",
  { chargeID, amount, currency },
];

const voidedOf = ({ chargeID }: CardCharge): Answer => ["voided", { chargeID }];
