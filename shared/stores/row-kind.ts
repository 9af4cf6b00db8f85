/**
 * The kind of a row: the parts of its key that are equal for all rows of the kind. That is the part before the first `~`. For some rows of
 * a terminal, and for those of a payment or a business day, it is two parts.
 */
export function kindOfRow(rowKey: string): string {
  const [kind = "", first, second] = rowKey.split("~");
  const isNamed = kind === "payment" || kind === "day";
  const within = isNamed ? second : first;
  return within && (isNamed || /^(claim|device|seen)$/.test(within)) ? `${kind}~${within}` : kind;
}
