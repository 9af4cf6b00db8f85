import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { admitPayment, type AdmitPayment } from "../../shared/use-cases/admit-payment.ts";
import { postMessage } from "../../shared/use-cases/post-message.ts";
import { paymentOf, type Delivering } from "../../shared/use-cases/protocol/deliver.ts";
import { releaseHolds } from "../../shared/use-cases/release-holds.ts";

/** Brings committed commands to terminals: takes the terminal for a payment, files messages, gives the terminal back. */
export const terminalMessages = (deps: Delivering & AdmitPayment) =>
  queueWorker("terminal-messages", deps, async ({ announcement, command, effect }) => {
    const { subject, traceparent } = announcement;
    switch (effect.kind) {
      case "admission":
        return admitPayment(deps, paymentOf(subject), { command, effect }, traceparent);
      case "message":
        return postMessage(deps, effect.mailing, { messageId: command.commandId, traceparent });
      case "release":
        return releaseHolds(deps, paymentOf(subject));
      default:
        throw new Error(`${effect.kind} came to the wrong queue`);
    }
  });
