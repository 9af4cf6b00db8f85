/**
 * The kind of a row, which is the part of its key that is equal for all rows of the kind. It is the part before the first `~`, or the first
 * two parts if the key names a kind within a kind.
 */
export function kindOfRow(rowKey: string): string {
  const [kind = "", more] = rowKey.split("~");
  return more !== undefined && /^(claim|seen)$/.test(more) ? `${kind}~${more}` : kind;
}
