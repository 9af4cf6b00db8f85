import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { updateOrder, type UpdateOrderDeps } from "../../shared/use-cases/payments/order-holders.ts";
import { enqueueMessage, type EnqueueMessageDeps } from "../../shared/use-cases/terminals/enqueue-message.ts";

/** Delivers committed commands to terminals. It enqueues messages, and updates how payments hold their orders. */
export const terminalMessages = queueWorker("terminal-messages", {
  async admission(deps: EnqueueMessageDeps, { call, command, effect }: Work<"admission">) {
    await enqueueMessage(deps, call, { messageId: command.commandId, envelope: effect.envelope });
    return "implied" as const;
  },
  message: (deps: EnqueueMessageDeps, { call, command, effect }: Work<"message">) =>
    enqueueMessage(deps, call, { messageId: command.commandId, envelope: effect.envelope }),
  orderUpdate: (deps: UpdateOrderDeps, { subject }: Work<"orderUpdate">) => updateOrder(deps, subject),
});
