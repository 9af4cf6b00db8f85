import { type SelfDescription, selfDescriptionRecord } from "../domain/device.ts";
import { type Claim, type HoldingSession, type Terminal, claimRecord, terminalRecord } from "../domain/terminal.ts";
import { type Instant, uncheckedInstant } from "../domain/time.ts";
import type { KeyHash } from "./partners.ts";
import * as z from "zod";
import { CLAIM_ROW, DEVICE_ROW, RETIRED_ROW, SEEN_ROW, TERMINAL_ROW, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

/** A terminal as one query returns it: the set status, the claim, when it was last seen, and what it says of itself. */
export interface TerminalView {
  readonly terminal: Terminal;
  readonly etag: string;
  readonly claim: StoredClaim;
  readonly lastSeenAt: Instant | undefined;
  /** The charge of its battery, as its last heartbeat named it. */
  readonly batteryPercent: number | undefined;
  readonly described: SelfDescription;
}
export interface StoredClaim extends Claim {
  /** Undefined if the terminal never had a payment. */
  readonly etag: string | undefined;
}

/**
 * A terminal as its key identifies it: the members that are fixed while it is registered, and those that the key is compared with. It holds
 * nothing that changes from call to call.
 */
export type KeyedTerminal = Pick<
  Terminal,
  "terminalId" | "idAsReceived" | "partnerId" | "merchantId" | "keyHash" | "pepperId" | "formerKey"
>;

const seenRecord = z.object({ at: uncheckedInstant, batteryPercent: z.int().optional() });

/** Terminals in the table `Terminals`, each in a partition with its claim, heartbeat, description and inbox. */
export function terminalsTable(rows: Rows) {
  return {
    async find(terminalId: string): Promise<TerminalView | undefined> {
      return viewOf(await rows.withPrefix(terminalPartition(terminalId), TERMINAL_ROW));
    },
    /** The hash that a terminal's key is compared with. A cache may return a version that is some seconds old. */
    async findKey(terminalId: string): Promise<KeyedTerminal | undefined> {
      const row = await rows.get(terminalPartition(terminalId), TERMINAL_ROW);
      return row && fromRow(row, terminalRecord);
    },
    async findClaim(terminalId: string): Promise<StoredClaim> {
      return toClaim(await rows.get(terminalPartition(terminalId), CLAIM_ROW));
    },
    /** Writes the members that the operator or the partner sets. Without an ETag the terminal is inserted. Throws `Conflict`. */
    async save(terminal: Terminal, etag: string | undefined): Promise<void> {
      const columns = toColumns(terminal, { status: terminal.status });
      await rows.submit(terminalPartition(terminal.terminalId), [
        etag === undefined
          ? { kind: "insert", rowKey: TERMINAL_ROW, columns }
          : { kind: "replace", rowKey: TERMINAL_ROW, columns, etag },
      ]);
    },
    /** Replaces the hash of the terminal's key, as `Partners.rehashKey` does. */
    async rehashKey(terminalId: string, was: KeyHash, next: KeyHash): Promise<void> {
      const row = await rows.get(terminalPartition(terminalId), TERMINAL_ROW);
      const terminal = row && fromRow(row, terminalRecord);
      if (!row || terminal?.keyHash !== was.hash) return;
      const rehashed = { ...terminal, keyHash: next.hash, pepperId: next.pepperId };
      const columns = toColumns(rehashed, { status: terminal.status });
      await rows.submit(terminalPartition(terminalId), [
        { kind: "replace", rowKey: TERMINAL_ROW, columns, etag: row.etag },
      ]);
    },
    /**
     * Moves the terminal to a row that only `findRetired` reads. The claim is written too, so that a slow request for the terminal fails.
     * Throws `Conflict`.
     */
    async retire(terminal: Terminal, { etag, claim }: Pick<TerminalView, "etag" | "claim">): Promise<void> {
      await rows.submit(terminalPartition(terminal.terminalId), [
        { kind: "remove", rowKey: TERMINAL_ROW, etag },
        writeClaim(claim, claim.holder),
        { kind: "insert", rowKey: RETIRED_ROW, columns: toColumns(terminal) },
      ]);
    },
    async findRetired(terminalId: string): Promise<Terminal | undefined> {
      const row = await rows.get(terminalPartition(terminalId), RETIRED_ROW);
      return row && fromRow(row, terminalRecord);
    },
    /** Writes the terminal's heartbeat. */
    async seen(terminalId: string, at: Instant, batteryPercent?: number): Promise<void> {
      const columns = toColumns({ at, batteryPercent });
      await rows.submit(terminalPartition(terminalId), [{ kind: "overwrite", rowKey: SEEN_ROW, columns }]);
    },
    /** Replaces the terminal's description of itself. */
    async describe(terminalId: string, described: SelfDescription): Promise<void> {
      const columns = toColumns(described);
      await rows.submit(terminalPartition(terminalId), [{ kind: "overwrite", rowKey: DEVICE_ROW, columns }]);
    },
  };
}

export type Terminals = ReturnType<typeof terminalsTable>;

/** The terminal's rows as one view. Undefined if its own row is not among them. */
function viewOf(found: readonly Row[]): TerminalView | undefined {
  const named = (key: string) => found.find((row) => row.rowKey === key);
  const [terminal, claim, device] = [named(TERMINAL_ROW), named(CLAIM_ROW), named(DEVICE_ROW)];
  if (!terminal) return undefined;
  const seenRow = named(SEEN_ROW);
  const seen = seenRow && fromRow(seenRow, seenRecord);
  return {
    terminal: fromRow(terminal, terminalRecord),
    etag: terminal.etag,
    claim: toClaim(claim),
    lastSeenAt: seen?.at,
    batteryPercent: seen?.batteryPercent,
    described: device ? fromRow(device, selfDescriptionRecord) : { can: [] },
  };
}

export const claimColumns = (claim: Claim): Columns => toColumns(claim);
const toClaim = (row: Row | undefined): StoredClaim =>
  row ? { ...fromRow(row, claimRecord), etag: row.etag } : { etag: undefined };

/** Writes the claim, if it is as it was read. Without a holder the terminal stays free. */
export function writeClaim({ etag }: StoredClaim, holder: HoldingSession | undefined): Operation {
  const columns = claimColumns({ holder });
  return etag === undefined
    ? { kind: "insert", rowKey: CLAIM_ROW, columns }
    : { kind: "replace", rowKey: CLAIM_ROW, columns, etag };
}

/** Frees the terminal. Needs no ETag, because the row of the payment that holds it guards the group. */
export const freeClaim: Operation = { kind: "overwrite", rowKey: CLAIM_ROW, columns: claimColumns({}) };
