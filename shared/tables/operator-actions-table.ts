import { operatorActionRecord, type OperatorActions } from "../ports/operator-actions.ts";
import { ACTION_PREFIX, actionsPartition, operatorActionRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

/** What operators did, in the table `Partners`: a partition a month. */
export function operatorActionsTable(rows: Rows): OperatorActions {
  return {
    async save(action) {
      const { at, by, command } = action;
      const columns = toColumns(action, { by, command });
      // Unconditional: only the command that made the identifier writes the row.
      await rows.submit(actionsPartition(at.slice(0, 7)), [
        { kind: "overwrite", rowKey: operatorActionRow(action), columns },
      ]);
    },
    async ofMonth(month) {
      const found = await rows.withPrefix(actionsPartition(month), ACTION_PREFIX);
      return found.map((row) => fromRow(row, operatorActionRecord));
    },
  };
}
