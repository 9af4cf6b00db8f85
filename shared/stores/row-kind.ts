/**
 * The kind of a row: the parts of its key that are equal for all rows of the kind. That is the part before the first `~`. For some rows of
 * a terminal, and for all of a payment, it is two parts.
 */
export function kindOfRow(rowKey: string): string {
  const [kind = "", first, second] = rowKey.split("~");
  const within = kind === "payment" ? second : first;
  return within && (kind === "payment" || /^(claim|seen)$/.test(within)) ? `${kind}~${within}` : kind;
}
