import * as z from "zod";
import type { ObservedTerminal, SettableStatus } from "../../domain/terminal.ts";
import { instant, pointOfServiceID, sessionID, updatedAt } from "../fields.ts";
import { values } from "../values.ts";

/** The statuses that partners set, each with its meaning. */
export const settableMeanings: Readonly<Record<SettableStatus, string>> = {
  available: "It takes payments.",
  closed: "It is closed.",
  maintenance: "It is being serviced.",
  cleaning: "It is being cleaned.",
  booked: "It is booked.",
  occupied: "It is occupied.",
};

const statusCode = values("TerminalStatusCode", "How the terminal is; `busy` and `offline` are observed.", {
  ...settableMeanings,
  busy: "It is carrying out a payment.",
  offline: "The platform has not heard from it lately.",
});

/** A terminal's status as partners see it. */
export const terminalStatusObject = z
  .object({
    pointOfServiceID,
    statusCode,
    online: z.boolean().meta({ description: "It was heard from lately." }),
    canAcceptPayment: z.boolean().meta({ description: "A payment requested now would be admitted." }),
    reason: statusCode.optional(),
    lastSeenAt: instant.optional().meta({ description: "When it was heard from last." }),
    updatedAt: updatedAt.meta({ description: "When its status was set last." }),
    activeSessionID: sessionID.optional().meta({ description: "Your payment that it is busy with." }),
  })
  .meta({ id: "TerminalStatus" });
export type TerminalStatusObject = z.infer<typeof terminalStatusObject>;

export const toTerminalStatusObject = ({
  idAsReceived,
  status,
  ...observed
}: ObservedTerminal): TerminalStatusObject => ({
  pointOfServiceID: idAsReceived,
  statusCode: status,
  online: observed.online,
  canAcceptPayment: status === "available",
  reason: status === "available" ? undefined : status,
  lastSeenAt: observed.lastSeenAt,
  updatedAt: observed.updatedAt,
  activeSessionID: observed.activeSessionId,
});
