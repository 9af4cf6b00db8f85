import type { FeedEvent } from "../../../shared/stores/feeds.ts";

/**
 * What a restore from an export lost: everything that was committed after the export read it. The true state of the world went on. Nothing
 * of this is known before the restore.
 */
export interface LostTime {
  /** When the platform was restored, in milliseconds since the world began. */
  restoredAt: number | undefined;
  /** Sessions that were requested after the export: the books lack them. */
  readonly sessions: Set<string>;
  /** Sessions of which changes are lost, and those that were lost as a whole. */
  readonly behind: Set<string>;
  /** The sequences of the lost changes, of each session that the restored books hold. */
  readonly sequences: Map<string, ReadonlySet<number>>;
  /** Sessions whose lost changes an operator made. */
  readonly decided: Set<string>;
  /** Sessions that had ended in the books when they were exported: they were not queried. */
  readonly ended: Set<string>;
  /** Lost commands: their messages may be at terminals. */
  readonly commands: Set<string>;
  /** The events of each partner's feed at the restore. */
  readonly feeds: Map<string, readonly FeedEvent[]>;
  /** What terminals had done to cards by the restore: charges and refunds, by `<session> <identifier>`. */
  readonly moves: Set<string>;
}

export const noLostTime = (): LostTime => ({
  restoredAt: undefined,
  sessions: new Set(),
  behind: new Set(),
  sequences: new Map(),
  decided: new Set(),
  ended: new Set(),
  commands: new Set(),
  feeds: new Map(),
  moves: new Set(),
});
