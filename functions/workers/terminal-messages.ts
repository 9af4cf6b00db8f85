import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { claimTerminal, type ClaimTerminalDeps } from "../../shared/use-cases/payments/claim-terminal.ts";
import { enqueueMessage } from "../../shared/use-cases/terminals/enqueue-message.ts";
import { paymentOf, type DeliverDeps } from "../../shared/use-cases/outbox/deliver.ts";
import { releaseClaims } from "../../shared/use-cases/payments/release-claims.ts";

/** Brings committed commands to terminals: takes the terminal for a payment, files messages, gives the terminal back. */
export const terminalMessages = (deps: DeliverDeps & ClaimTerminalDeps) =>
  queueWorker("terminal-messages", deps, async ({ announcement, command, effect }) => {
    const { subject, traceparent } = announcement;
    switch (effect.kind) {
      case "admission":
        return claimTerminal(deps, paymentOf(subject), { command, effect }, traceparent);
      case "message":
        return enqueueMessage(deps, effect.mailing, { messageId: command.commandId, traceparent });
      case "release":
        return releaseClaims(deps, paymentOf(subject));
      default:
        throw new Error(`${effect.kind} came to the wrong queue`);
    }
  });
