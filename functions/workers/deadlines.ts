import { queueWorker } from "../../shared/queues/queue-worker.ts";
import { meetDeadline, type MeetDeadline } from "../../shared/use-cases/meet-deadline.ts";
import type { Delivering } from "../../shared/use-cases/protocol/deliver.ts";

/** Acts when nobody spoke in time: each message is a deadline, scheduled by the command that set it. */
export const deadlines = (deps: Delivering & MeetDeadline) =>
  queueWorker("deadlines", deps, {
    carryOut: async ({ effect, ...work }) => {
      if (effect.kind !== "deadline") throw new Error(`${effect.kind} came to the wrong queue`);
      return meetDeadline(deps, { ...work, effect });
    },
  });
