/**
 * The kind of a row by its key: the part that is equal for all rows of the kind, which is the part before the first `~`, or the first two
 * parts where the key names a kind within a kind.
 */
export function kindOfRow(rowKey: string): string {
  const [kind = "", more] = rowKey.split("~");
  return more !== undefined && /^(claim|seen)$/.test(more) ? `${kind}~${more}` : kind;
}
