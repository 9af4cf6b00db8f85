import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { updateOrder, type UpdateOrderDeps } from "../../shared/use-cases/payments/order-holders.ts";
import { fileMessage } from "../../shared/use-cases/terminals/file-message.ts";
import { releaseAnnounced, releaseMessage } from "../../shared/use-cases/terminals/release-message.ts";
import type { Needs } from "../../shared/use-cases/needs.ts";

const handlers = {
  message: (deps: Needs<"bells" | "inboxes">, { subject, call, command, effect: { envelope } }: Work<"message">) =>
    subject.kind === "payment"
      ? releaseMessage(deps, envelope)
      : fileMessage(deps, call, { messageId: command.commandId, envelope }),
  orderUpdate: (deps: UpdateOrderDeps, { subject }: Work<"orderUpdate">) => updateOrder(deps, subject),
};

/** Hands messages to terminals: releases those of payments, and files those of action requests. Updates how payments hold their orders. */
export const terminalMessages = queueWorker("terminal-messages", handlers, releaseAnnounced);
