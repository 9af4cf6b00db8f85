import type { Answer, Session } from "./session.ts";
import type { TerminalMessage } from "./terminal-client.ts";

/** What a message other than a payment is answered with. The session learns of a cancellation and of a discount. */
export function answerTo(message: TerminalMessage, session: Session | undefined): Answer {
  const answer = answers[message.type];
  return answer ? answer(message, session) : ["acknowledged"];
}

/** By the message's type; there is no session where the terminal never began the payment. */
const answers: Readonly<Record<string, typeof answerTo>> = {
  cancel: (_, session) => {
    if (!session) return ["notStarted"];
    if (session.ending) return session.ending;
    session.aborted = true;
    return ["acknowledged"];
  },
  statusQuery: (_, session) => (session ? (session.ending ?? ["stillRunning"]) : ["notStarted"]),
  discount: ({ discountID, totalAmountInclVat }, session) => {
    if (!session || session.ending) return ["discountRefused", { discountID }];
    session.total = totalAmountInclVat ?? session.total;
    return ["discountApplied", { discountID }];
  },
  capture: (_, session) =>
    session?.script.captureFails ? ["captureFailed", { detail: "host unreachable" }] : ["captured"],
  void: (_, session) => (session?.script.voidFails ? ["voidFailed", { detail: "host unreachable" }] : ["voided"]),
  refund: ({ refundID }, session) =>
    session?.script.refundFails ? ["refundFailed", { refundID, detail: "refund refused" }] : ["refunded", { refundID }],
};
