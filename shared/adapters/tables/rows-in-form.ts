import { newestOf, storedForms, type StoredForms } from "../../ports/stored-forms.ts";
import { inForm } from "../../stores/record.ts";
import type { Operation, Rows } from "../../ports/rows.ts";

/** A table whose records are written in the form of `version`. Throws if this release does not know the version. */
export function rowsInForm<Table extends Rows>(rows: Table, version: number, forms: StoredForms = storedForms): Table {
  if (version === newestOf(forms)) return rows;
  const written = (operation: Operation): Operation =>
    "columns" in operation ? { ...operation, columns: inForm(operation.columns, version, forms) } : operation;
  return {
    ...rows,
    submit: async (partitionKey: string, operations: readonly Operation[]) =>
      rows.submit(partitionKey, operations.map(written)),
  };
}
