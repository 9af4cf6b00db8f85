import type { ObservedTerminal } from "../domain/terminal.ts";

/** A terminal's status as partners see it. */
export const toTerminalStatusObject = ({ spelledId, status, ...observed }: ObservedTerminal) => ({
  pointOfServiceID: spelledId,
  statusCode: status,
  online: observed.online,
  canAcceptPayment: status === "available",
  reason: status === "available" ? undefined : status,
  lastSeenAt: observed.lastSeenAt,
  updatedAt: observed.updatedAt,
  activeSessionID: observed.activeSessionId,
});
