import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { CommitActionDeps } from "../../shared/use-cases/action-requests/commit-action.ts";
import { expireActionRequest } from "../../shared/use-cases/action-requests/expire-action-request.ts";
import { handleTimeout, type HandleTimeoutDeps } from "../../shared/use-cases/payments/handle-timeout.ts";
import { paymentOf, type DeliverDeps } from "../../shared/use-cases/outbox/deliver.ts";

/** Acts when nobody spoke in time: each message is a deadline, scheduled by the command that set it. */
export const deadlines = (deps: DeliverDeps & HandleTimeoutDeps & CommitActionDeps) =>
  queueWorker("deadlines", deps, async ({ announcement: { subject }, command, effect }) => {
    if (effect.kind !== "deadline") throw new Error(`${effect.kind} came to the wrong queue`);
    if (subject.kind === "actionRequest") return expireActionRequest(deps, subject);
    return handleTimeout(deps, paymentOf(subject), { command, effect });
  });
