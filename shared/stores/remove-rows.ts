import { Conflict } from "../ports/failures.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";

/** The most operations of one group. */
const MAX_GROUP = 100;

/** Removes the rows of one partition as they were read, in as few groups as possible. Returns their number. Throws `Conflict`. */
export async function removeRows(rows: Rows, partition: string, found: readonly Row[]): Promise<number> {
  for (let i = 0; i < found.length; i += MAX_GROUP)
    await rows.submit(partition, found.slice(i, i + MAX_GROUP).map(removal));
  return found.length;
}

/**
 * Removes the rows of one subject, its own row last. After a crash in between, a later run finds the subject and removes the rest. Each
 * group before the last one writes the subject's row again on its ETag, so that a change of the subject stops the removal.
 */
export async function removeSubject(rows: Rows, partition: string, own: Row, others: readonly Row[]): Promise<number> {
  let { etag } = own;
  let left = others;
  while (left.length >= MAX_GROUP) {
    const unchanged = { kind: "replace", rowKey: own.rowKey, columns: own.columns, etag } as const;
    const written = await rows.submit(partition, [unchanged, ...left.slice(0, MAX_GROUP - 1).map(removal)]);
    etag = written[0] ?? "";
    left = left.slice(MAX_GROUP - 1);
  }
  await rows.submit(partition, [...left.map(removal), { kind: "remove", rowKey: own.rowKey, etag }]);
  return others.length + 1;
}

/** The subject's own row among those that were found, as it was read before. Throws `Conflict` if it was changed or created since. */
export function ownRow(found: readonly Row[], rowKey: string, etag: string | undefined): Row | undefined {
  const own = found.find((row) => row.rowKey === rowKey);
  if (own?.etag !== etag) throw new Conflict("the subject changed since it was read");
  return own;
}

const removal = ({ rowKey, etag }: Row): Operation => ({ kind: "remove", rowKey, etag });
