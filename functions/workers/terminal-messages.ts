import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import { claimTerminal, type ClaimTerminalDeps } from "../../shared/use-cases/payments/claim-terminal.ts";
import { settleClaims, type SettleClaimsDeps } from "../../shared/use-cases/payments/settle-claims.ts";
import { enqueueMessage, type EnqueueMessageDeps } from "../../shared/use-cases/terminals/enqueue-message.ts";

/** Brings committed commands to terminals: takes the terminal for a payment, files messages, tells terminal and order what the payment still holds. */
export const terminalMessages = queueWorker("terminal-messages", {
  admission: (deps: ClaimTerminalDeps, { call, subject, command, effect }: Work<"admission">) =>
    claimTerminal(deps, call, subject, { commandId: command.commandId, mailing: effect.mailing }),
  message: (deps: EnqueueMessageDeps, { call, command, effect }: Work<"message">) =>
    enqueueMessage(deps, call, { messageId: command.commandId, mailing: effect.mailing }),
  claims: (deps: SettleClaimsDeps, { subject }: Work<"claims">) => settleClaims(deps, subject),
});
