import { z } from "zod";
import { claimRecord, terminalRecord, type Claim } from "../domain/terminal.ts";
import { uncheckedInstant } from "../domain/time.ts";
import type { StoredClaim, Terminals } from "../ports/terminals.ts";
import { CLAIM_ROW, RETIRED_ROW, SEEN_ROW, TERMINAL_ROW, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "./rows.ts";

const seenRecord = z.object({ at: uncheckedInstant });

/** Terminals in the table `Terminals`, each in a partition with its claim, heartbeat and inbox. */
export function terminalsTable(rows: Rows): Terminals {
  return {
    async find(terminalId) {
      const found = await rows.withPrefix(terminalPartition(terminalId), TERMINAL_ROW);
      const named = (key: string) => found.find((row) => row.rowKey === key);
      const [terminal, claim, seen] = [named(TERMINAL_ROW), named(CLAIM_ROW), named(SEEN_ROW)];
      if (!terminal) return undefined;
      return {
        terminal: fromRow(terminal, terminalRecord),
        etag: terminal.etag,
        claim: claim && toClaim(claim),
        lastSeenAt: seen && fromRow(seen, seenRecord).at,
      };
    },
    async findKey(terminalId) {
      const row = await rows.get(terminalPartition(terminalId), TERMINAL_ROW);
      return row && fromRow(row, terminalRecord);
    },
    async findClaim(terminalId) {
      const row = await rows.get(terminalPartition(terminalId), CLAIM_ROW);
      return row && toClaim(row);
    },
    async save(terminal, etag) {
      const columns = toColumns(terminal, { status: terminal.status });
      await rows.submit(terminalPartition(terminal.terminalId), [
        etag === undefined
          ? { kind: "insert", rowKey: TERMINAL_ROW, columns }
          : { kind: "replace", rowKey: TERMINAL_ROW, columns, etag },
      ]);
    },
    async rehashKey(terminalId, was, next) {
      const row = await rows.get(terminalPartition(terminalId), TERMINAL_ROW);
      const terminal = row && fromRow(row, terminalRecord);
      if (!row || terminal?.keyHash !== was.hash) return;
      const rehashed = { ...terminal, keyHash: next.hash, pepperId: next.pepperId };
      const columns = toColumns(rehashed, { status: terminal.status });
      await rows.submit(terminalPartition(terminalId), [
        { kind: "replace", rowKey: TERMINAL_ROW, columns, etag: row.etag },
      ]);
    },
    async retire(terminal, etag) {
      await rows.submit(terminalPartition(terminal.terminalId), [
        { kind: "remove", rowKey: TERMINAL_ROW, etag },
        { kind: "insert", rowKey: RETIRED_ROW, columns: toColumns(terminal) },
      ]);
    },
    async findRetired(terminalId) {
      const row = await rows.get(terminalPartition(terminalId), RETIRED_ROW);
      return row && fromRow(row, terminalRecord);
    },
    async seen(terminalId, at) {
      const columns = toColumns({ at });
      await rows.submit(terminalPartition(terminalId), [{ kind: "overwrite", rowKey: SEEN_ROW, columns }]);
    },
  };
}

export const claimColumns = ({ partnerId, sessionId, commandId }: Claim) =>
  toColumns({ partnerId, sessionId, commandId } satisfies Claim);
const toClaim = (row: Row): StoredClaim => ({ ...fromRow(row, claimRecord), etag: row.etag });
