import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { admitPayment, type AdmitPayment } from "../../shared/use-cases/admit-payment.ts";
import { postMessage } from "../../shared/use-cases/post-message.ts";
import type { Delivering } from "../../shared/use-cases/protocol/deliver.ts";
import { releaseHolds } from "../../shared/use-cases/release-holds.ts";
import { tidyInbox } from "../../shared/use-cases/tidy-inbox.ts";

/** Brings committed commands to terminals: takes the terminal for a payment, files messages, gives the terminal back. */
export const terminalMessages = (deps: Delivering & AdmitPayment) =>
  queueWorker("terminal-messages", deps, {
    carryOut: async ({ effect, ...work }) => {
      switch (effect.kind) {
        case "admission":
          return admitPayment(deps, { ...work, effect });
        case "message":
          return postMessage(deps, { ...work, effect });
        case "release":
          return releaseHolds(deps, work.announcement.subject);
        case "deadline":
        case "webhook":
          throw new Error(`${effect.kind} came to the wrong queue`);
      }
    },
    tidyUp: (work) => tidyInbox(deps, work),
  });
