import { randomUUID } from "node:crypto";
import type { TerminalClient, TerminalMessage } from "../../packages/terminal/simulated/terminal-client.ts";
import { waitFor, type Patience } from "./wait-for.ts";

type Answered = Pick<TerminalMessage, "sessionID" | "messageID"> & Partial<TerminalMessage>;
type More = Readonly<Record<string, unknown>>;

/** A terminal that the test plays. It remembers the charge of each session, and the requests for it. */
export function silentTerminal(client: TerminalClient, patience: Patience) {
  const charges = new Map<string, More>();
  const refunds = new Map<string, More>();

  /** Polls, and repeats the poll after a 503, as the contract says. */
  async function patiently(waitSeconds: number): Promise<TerminalMessage | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        return await client.next(waitSeconds);
      } catch (error) {
        if (tries === 5 || !String(error).includes("next-message answered 503")) throw error;
      }
    }
  }

  /** Waits for the next message. */
  async function next(): Promise<TerminalMessage> {
    const message = await waitFor("a message for the terminal", () => patiently(2), patience);
    const { type, refundID = "", amount, currency } = message;
    if (type === "refund") refunds.set(refundID, { amount, currency });
    return message;
  }

  /** The members that the contract demands of each report, unless the test names them: from the message, otherwise from memory. */
  const demanded: Readonly<Record<string, (message: Answered) => More>> = {
    authorized: (message) => ({ chargeID: randomUUID(), ...approvalOf(message), ...chargeOf(message) }),
    captured: (message) => ({ ...chargeOf(message), ...moneyOf(message) }),
    captureFailed: (message) => ({ chargeID: chargeOf(message)["chargeID"] }),
    voided: (message) => ({ chargeID: chargeOf(message)["chargeID"] }),
    voidFailed: (message) => ({ chargeID: chargeOf(message)["chargeID"] }),
    refunded: (message) => ({ ...refunds.get(message.refundID ?? ""), ...moneyOf(message) }),
  };

  /** The charge that the message names, otherwise the session's first charge. */
  const chargeOf = ({ sessionID = "", chargeID }: Answered): More => ({
    ...charges.get(sessionID),
    ...(chargeID !== undefined && { chargeID }),
  });

  /** Sends a report in answer to a message. */
  async function sendReport(message: Answered, type: string, more: More = {}) {
    const { sessionID, messageID, actionRequestID } = message;
    const report = {
      reportID: randomUUID(),
      type,
      ...(sessionID !== undefined && { sessionID }),
      ...(actionRequestID !== undefined && { actionRequestID }),
      messageID,
      ...demanded[type]?.(message),
      ...more,
    };
    const { chargeID, amount, currency }: More = report;
    const isFirst = type === "authorized" && sessionID !== undefined && !charges.has(sessionID);
    if (isFirst) charges.set(sessionID, { chargeID, amount, currency });
    return client.report(report, message.traceparent);
  }

  /** Reads up to a message of this kind for this session or action request, and acknowledges the messages before it. */
  async function reach(type: string, id: string): Promise<TerminalMessage> {
    for (;;) {
      const message = await next();
      if (message.type === type && (message.sessionID === id || message.actionRequestID === id)) return message;
      await sendReport(message, "acknowledged");
    }
  }

  /** Fetches the payment and prompts the customer for a card. */
  async function begin(sessionID: string): Promise<TerminalMessage> {
    const message = await reach("payment", sessionID);
    await sendReport(message, "accepted");
    return message;
  }

  return {
    client,
    /** Polls once, so that the terminal counts as online. */
    online: () => patiently(0),
    next,
    sendReport,
    reach,
    begin,
    /** Takes the payment from its message to its approval. */
    async approve(sessionID: string): Promise<TerminalMessage> {
      const message = await begin(sessionID);
      await sendReport(message, "authorized");
      return message;
    },
  };
}

/** An approval of the amount in the message. This is the payment's amount, or the amount after a later discount. */
const approvalOf = ({ totalAmountInclVat: amount, currency }: Partial<TerminalMessage>) => ({
  amount,
  currency,
  acquirer: { authorisationCode: randomUUID().slice(0, 6), rrn: randomUUID().slice(0, 12) },
});

const moneyOf = ({ amount, currency }: Answered): More => (amount === undefined ? {} : { amount, currency });
