import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { ChangeAction } from "../../shared/use-cases/commit-action.ts";
import { expireActionRequest } from "../../shared/use-cases/expire-action-request.ts";
import { meetDeadline, type MeetDeadline } from "../../shared/use-cases/meet-deadline.ts";
import { paymentOf, type Delivering } from "../../shared/use-cases/protocol/deliver.ts";

/** Acts when nobody spoke in time: each message is a deadline, scheduled by the command that set it. */
export const deadlines = (deps: Delivering & MeetDeadline & ChangeAction) =>
  queueWorker("deadlines", deps, async ({ announcement: { subject }, command, effect }) => {
    if (effect.kind !== "deadline") throw new Error(`${effect.kind} came to the wrong queue`);
    if (subject.kind === "actionRequest") return expireActionRequest(deps, subject);
    return meetDeadline(deps, paymentOf(subject), { command, effect });
  });
