import type { Day } from "../../../shared/domain/time.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import { isCarriedOut, type Command } from "../../../shared/stores/commands.ts";
import { markColumns } from "../../../shared/stores/marks.ts";
import { changedRow, openCommandRow, openRow } from "../../../shared/stores/subject-rows.ts";
import type { PlainRow } from "./exported-row.ts";

/** The state that the marks of a restored subject show. */
interface Marked {
  readonly hasEnded: boolean;
  /** The UTC days of its changes, as far as they are known. */
  readonly days: Iterable<Day>;
  readonly commands: readonly Omit<Command, "etag">[];
}

/** The marks of a subject in the partition that holds it. */
export function marksOf(
  subject: Subject,
  partitionKey: string,
  { hasEnded, days, commands }: Marked,
): readonly PlainRow[] {
  const columns = markColumns(subject);
  const undone = commands.filter((command) => !isCarriedOut(command));
  return [
    ...[...new Set(days)].map((day) => changedRow(subject, day)),
    ...(hasEnded ? [] : [openRow(subject)]),
    ...undone.map(({ commandId }) => openCommandRow(subject, commandId)),
  ].map((rowKey) => ({ partitionKey, rowKey, columns }));
}
