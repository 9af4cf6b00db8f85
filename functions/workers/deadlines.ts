import { queueWorker } from "../../shared/queues/queue-worker.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import type { CommitActionDeps } from "../../shared/use-cases/action-requests/commit-action.ts";
import { expireActionRequest } from "../../shared/use-cases/action-requests/expire-action-request.ts";
import { handleDayDeadline, type CompareDayDeps } from "../../shared/use-cases/terminal-days/compare-day.ts";
import { handleTimeout, type HandleTimeoutDeps } from "../../shared/use-cases/payments/handle-timeout.ts";

/**
 * Acts on deadlines. Each is a message, scheduled by the command that set the deadline.
 *
 * The queue also carries the effect `unlisting` of a payment that ended without another effect. That effect only has to be marked as done.
 * The payment then leaves the list of open subjects.
 */
export const deadlines = queueWorker("deadlines", {
  deadline: (
    deps: HandleTimeoutDeps & CommitActionDeps & CompareDayDeps,
    { call, subject, command, effect: { deadline, due } }: Work<"deadline">,
  ) => {
    switch (subject.kind) {
      case "payment":
        return handleTimeout(deps, call, subject, { deadline, commandId: command.commandId });
      case "actionRequest":
        return expireActionRequest(deps, call, subject);
      case "terminalDay":
        return handleDayDeadline(deps, call, subject, { deadline, due });
    }
  },
  unlisting: async (_deps: object) => "done" as const,
});
