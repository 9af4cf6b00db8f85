import { z } from "zod";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";
import type { Timings } from "./timings.ts";

/** What somebody may set; `busy` and `offline` are observed, never set. */
export const settableStatuses = ["available", "closed", "maintenance", "cleaning", "booked", "occupied"] as const;
export type SettableStatus = (typeof settableStatuses)[number];
export const terminalStatuses = [...settableStatuses, "busy", "offline"] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

export const terminalRecord = z.object({
  terminalId: z.string(),
  /** The identifier as it was registered, for answers. */
  idAsReceived: z.string(),
  partnerId: z.string(),
  merchantId: z.string(),
  name: z.string().optional(),
  status: z.enum(settableStatuses),
  /** What the terminal's merchant chose: an order is paid at most once (`strict`), or a repetition is only marked. */
  strictOrders: z.boolean(),
  keyHash: z.string(),
  pepperId: z.string(),
  updatedAt: uncheckedInstant,
});
export interface Terminal extends RecordOf<typeof terminalRecord> {}

/** A terminal as it is: what was set, and what is observed. */
export interface ObservedTerminal {
  readonly idAsReceived: string;
  readonly status: TerminalStatus;
  readonly online: boolean;
  readonly lastSeenAt: Instant | undefined;
  readonly updatedAt: Instant;
  readonly activeSessionId: string | undefined;
}

/** A payment's hold on a terminal, made by a worker. It is checked against the holder's state, never trusted. */
export const claimRecord = z.object({ partnerId: z.string(), sessionId: z.string(), commandId: z.string() });
export interface Claim extends RecordOf<typeof claimRecord> {}

/** Heard from within the last 45 s: a fetch is the heartbeat. */
export const isOnline = (lastSeenAt: Instant | undefined, now: Instant, timings: Timings): boolean =>
  lastSeenAt !== undefined && msBetween(lastSeenAt, now) < timings.offlineAfterSeconds * 1000;

/** Offline beats a set status other than `available`, which beats `busy`, which beats `available`. */
export function effectiveStatus(set: SettableStatus, online: boolean, busy: boolean): TerminalStatus {
  if (!online) return "offline";
  if (set !== "available") return set;
  return busy ? "busy" : "available";
}
