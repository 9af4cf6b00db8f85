import * as z from "zod";
import type { SelfDescription } from "./device.ts";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";
import type { Timings } from "./timings.ts";

/** The statuses that a partner or an operator may set. `busy` and `offline` are observed, never set. */
export const settableStatuses = ["available", "closed", "maintenance", "cleaning", "booked", "occupied"] as const;
export type SettableStatus = (typeof settableStatuses)[number];
const terminalStatuses = [...settableStatuses, "busy", "offline"] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

export const terminalRecord = z.object({
  terminalId: z.string(),
  /** The identifier as it was registered, for responses. */
  idAsReceived: z.string(),
  partnerId: z.string(),
  merchantId: z.string(),
  /** The merchant's name for partners and operators. Payments bring their own for customers. */
  merchantName: z.string().optional(),
  name: z.string().optional(),
  status: z.enum(settableStatuses),
  /** The merchant's choice: an order is paid at most once (`true`), or a repeated order is only marked (`false`). */
  strictOrders: z.boolean(),
  keyHash: z.string(),
  pepperId: z.string(),
  /** The key before the present one, while both are valid. */
  formerKey: z.object({ keyHash: z.string(), pepperId: z.string(), endsAt: uncheckedInstant }).optional(),
  /** Set only for a retired terminal, which no reader of terminals finds. */
  retiredAt: uncheckedInstant.optional(),
  updatedAt: uncheckedInstant,
});
export interface Terminal extends RecordOf<typeof terminalRecord> {}

/** A terminal as it was registered, its status, and what it says of itself. */
export interface ObservedTerminal extends Pick<Terminal, "idAsReceived" | "name" | "merchantId" | "merchantName"> {
  readonly status: TerminalStatus;
  readonly online: boolean;
  readonly lastSeenAt: Instant | undefined;
  readonly updatedAt: Instant;
  readonly activeSessionId: string | undefined;
  /** How many captures and refunds it has not fetched. */
  readonly waiting: number;
  readonly described: SelfDescription;
  /** The charge of its battery at its last heartbeat, 0 to 100. Undefined if the heartbeat did not name it. */
  readonly batteryPercent: number | undefined;
}

/** The session of the payment that holds a terminal. `asReceived` is the identifier as its partner sent it. */
const holdingSession = z.object({ sessionId: z.string(), asReceived: z.string() });
export interface HoldingSession extends RecordOf<typeof holdingSession> {}

/**
 * Which payment holds a terminal; `holder` is absent if none does. The group that creates a payment takes the claim, and the group with
 * which the payment lets its terminal go frees it. So the claim is true at every moment.
 */
export const claimRecord = z.object({ holder: holdingSession.optional() });
export interface Claim extends RecordOf<typeof claimRecord> {}

/** Whether the terminal was seen within `offlineAfterSeconds` (45 s). Every fetch is a heartbeat. */
export const isOnline = (lastSeenAt: Instant | undefined, now: Instant, timings: Timings): boolean =>
  lastSeenAt !== undefined && msBetween(lastSeenAt, now) < timings.offlineAfterSeconds * 1000;

/** `offline` takes precedence over a set status other than `available`, which takes precedence over `busy`. */
export function effectiveStatus(set: SettableStatus, online: boolean, busy: boolean): TerminalStatus {
  if (!online) return "offline";
  if (set !== "available") return set;
  return busy ? "busy" : "available";
}
