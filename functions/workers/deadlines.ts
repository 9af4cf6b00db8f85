import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import type { CommitActionDeps } from "../../shared/use-cases/action-requests/commit-action.ts";
import { expireActionRequest } from "../../shared/use-cases/action-requests/expire-action-request.ts";
import { handleTimeout, type HandleTimeoutDeps } from "../../shared/use-cases/payments/handle-timeout.ts";

/**
 * Carries out what silence means: each message is a deadline, scheduled by the command that set it. Beside them, of a payment that ended without
 * another effect, that it leaves the list of open ones: the effect is marked done, and no more is to be done for it.
 */
export const deadlines = queueWorker("deadlines", {
  deadline: (
    deps: HandleTimeoutDeps & CommitActionDeps,
    { call, subject, command, effect: { deadline } }: Work<"deadline">,
  ) =>
    subject.kind === "actionRequest"
      ? expireActionRequest(deps, call, subject)
      : handleTimeout(deps, call, subject, { deadline, commandId: command.commandId }),
  unlisting: async (_deps: object) => "done" as const,
});
