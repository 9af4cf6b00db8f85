import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { ACTION_PREFIX, actionsPartition, operatorActionRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "../ports/rows.ts";

/** A command of the operator that changes something. It is stored before it acts, and once more with its outcome. */
export const operatorActionRecord = z.object({
  actionId: z.string(),
  at: instant,
  /** The user and the machine, and the identity that the cloud verified, if there is one. */
  by: z.string(),
  /** Such as `key revoke`. */
  command: z.string(),
  /** The typed words that are names, choices, times and numbers. No text, address or secret is among them. */
  about: z.record(z.string(), z.string()),
  /** `failed`: it was not confirmed, or was only carried out in part. Undefined: it broke off, or its end could not be stored. */
  outcome: z.enum(["done", "failed"]).optional(),
});
export interface OperatorAction extends RecordOf<typeof operatorActionRecord> {}

/** The actions of operators, in the table `Partners`, one partition for each month. */
export function operatorActionsTable(rows: Rows) {
  return {
    async save(action: OperatorAction): Promise<void> {
      const { at, by, command } = action;
      const columns = toColumns(action, { by, command });
      // Unconditional: only the command that made the identifier writes the row.
      await rows.submit(actionsPartition(at.slice(0, 7)), [
        { kind: "overwrite", rowKey: operatorActionRow(action), columns },
      ]);
    },
    /** The actions of a UTC month (`2026-11`), the oldest first. */
    async ofMonth(month: string): Promise<OperatorAction[]> {
      const found = await rows.withPrefix(actionsPartition(month), ACTION_PREFIX);
      return found.map((row) => fromRow(row, operatorActionRecord));
    },
  };
}

/** The trail of operators' actions. Only their commands write it. */
export type OperatorActions = ReturnType<typeof operatorActionsTable>;
