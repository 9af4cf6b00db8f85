import { z } from "zod";
import { terminalStatuses, type ObservedTerminal } from "../../domain/terminal.ts";
import { instant, pointOfServiceID, sessionID, updatedAt } from "../fields.ts";

/** A terminal's status as partners see it. */
export const terminalStatusObject = z
  .object({
    pointOfServiceID,
    statusCode: z.enum(terminalStatuses).meta({ description: "How it is; `busy` and `offline` are observed." }),
    online: z.boolean().meta({ description: "It was heard from lately." }),
    canAcceptPayment: z.boolean().meta({ description: "A payment requested now would be admitted." }),
    reason: z.enum(terminalStatuses).optional().meta({ description: "Why it cannot." }),
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
