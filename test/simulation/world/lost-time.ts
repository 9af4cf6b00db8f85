import type { FeedEvent } from "../../../shared/stores/feeds.ts";

/**
 * The losses of a restore from an export: everything that was committed after the export read it. The true state of the world continued.
 * None of this is known before the restore.
 */
export interface LostTime {
  /** When the platform was restored, in milliseconds since the world began. */
  restoredAt: number | undefined;
  /** Sessions that were requested after the export: the books lack them. */
  readonly sessions: Set<string>;
  /** Sessions with lost changes, including the sessions that were lost as a whole. */
  readonly behind: Set<string>;
  /** The sequences of the lost changes, for each session in the restored books. */
  readonly sequences: Map<string, ReadonlySet<number>>;
  /** Sessions with lost changes that an operator made. */
  readonly decided: Set<string>;
  /** Sessions that had already ended in the books when they were exported, so they were not queried. */
  readonly ended: Set<string>;
  /** Refunds that the restored books hold as failed, by `<session> <refund>`, so they were not queried. */
  readonly failedRefunds: Set<string>;
  /** Lost commands: their messages may be at terminals. */
  readonly commands: Set<string>;
  /** The events of each partner's feed at the restore. */
  readonly feeds: Map<string, readonly FeedEvent[]>;
  /** Bookings under closed days whose changes are lost, by `<terminal> <session> <sequence> <number>`. */
  readonly bookings: Set<string>;
  /** The movements that terminals had made on cards before the restore: charges and refunds, by `<session> <identifier>`. */
  readonly moves: Set<string>;
  /** The Idempotency-Keys whose holder is another one since the restore, or none, by their names in `platform/keys.ts`. */
  readonly keys: Set<string>;
}

export const noLostTime = (): LostTime => ({
  restoredAt: undefined,
  sessions: new Set(),
  behind: new Set(),
  sequences: new Map(),
  decided: new Set(),
  ended: new Set(),
  failedRefunds: new Set(),
  commands: new Set(),
  feeds: new Map(),
  bookings: new Set(),
  moves: new Set(),
  keys: new Set(),
});
