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

export const terminalStatusCode = values(
  "TerminalStatusCode",
  "The terminal's status. `busy` and `offline` cannot be set.",
  {
    ...settableMeanings,
    busy: "It runs a payment.",
    offline: "It has not polled recently.",
  },
);

/** A terminal's status as partners see it. */
export const terminalStatusObject = z
  .object({
    pointOfServiceID,
    statusCode: terminalStatusCode,
    online: z.boolean().meta({ description: "The terminal has polled recently." }),
    canAcceptPayment: z.boolean().meta({ description: "A payment requested now would be accepted." }),
    reason: terminalStatusCode.optional(),
    lastSeenAt: instant.optional().meta({ description: "The time of the last poll." }),
    updatedAt: updatedAt.meta({ description: "The time at which the status was last set." }),
    activeSessionID: sessionID.optional().meta({ description: "Your payment that runs on the terminal." }),
    waiting: z.int().meta({
      description:
        "The number of captures and refunds that the terminal has not fetched. It makes them when it is online.",
    }),
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
  waiting: observed.waiting,
});
