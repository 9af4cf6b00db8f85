/**
 * The kind of a row, which is the part of its key that is equal for all rows of the kind: the part before the first `~`, and what the key
 * names of a terminal or a payment.
 */
export function kindOfRow(rowKey: string): string {
  const [kind = "", first, second] = rowKey.split("~");
  const within = kind === "payment" ? second : first;
  return within && (kind === "payment" || /^(claim|seen)$/.test(within)) ? `${kind}~${within}` : kind;
}
