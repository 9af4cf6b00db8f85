import { queueWorker } from "../../shared/adapters/queues/queue-worker.ts";
import type { Announcement } from "../../shared/ports/announcements.ts";
import type { Work } from "../../shared/use-cases/outbox/deliver.ts";
import type { CommitActionDeps } from "../../shared/use-cases/action-requests/commit-action.ts";
import { expireActionRequest } from "../../shared/use-cases/action-requests/expire-action-request.ts";
import { handleDayDeadline, updateDay, type CompareDayDeps } from "../../shared/use-cases/terminal-days/compare-day.ts";
import { dayLookAnnounced } from "../../shared/use-cases/bookings/look-at-day.ts";
import {
  lookAnnounced,
  lookAtPayment,
  type LookAtPaymentDeps,
} from "../../shared/use-cases/payments/look-at-payment.ts";

const handlers = {
  deadline: (
    deps: CommitActionDeps & CompareDayDeps,
    { call, subject, effect: { deadline, due } }: Work<"deadline">,
  ) => {
    switch (subject.kind) {
      case "actionRequest":
        return expireActionRequest(deps, call, subject);
      case "terminalDay":
        return handleDayDeadline(deps, call, subject, { deadline, due });
    }
  },
  dayUpdate: async (deps: CompareDayDeps, { call, subject: { partnerId, terminalId }, effect }: Work<"dayUpdate">) => {
    for (const day of effect.days) await updateDay(deps, call, { partnerId, terminalId, day });
    return "done" as const;
  },
  look: async (deps: LookAtPaymentDeps, { call, subject: key, announcement, effect }: Work<"look">) =>
    (await lookAtPayment(deps, call, { key, at: announcement.at ?? effect.at })) ?? "implied",
};

const looks = (
  deps: Parameters<typeof lookAnnounced>[0] & Parameters<typeof dayLookAnnounced>[0],
  said: Announcement,
) => lookAnnounced(deps, said) ?? dayLookAnnounced(deps, said);

/**
 * Acts on deadlines. Each is a scheduled message: a deadline of an action request or a terminal's day, or a look. A look is at what a
 * payment awaits, or at the closing of a partner's day. Also brings a terminal's day up to date after a booking.
 */
export const deadlines = queueWorker("deadlines", handlers, looks);
