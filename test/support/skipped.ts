// The name of a skipped test, or of its suite, ends with the reason. The last line of a run counts the reasons.

/** The end of a name if its tests are skipped; empty if they run. The reason has the form of a text after "because". */
export const skippedIf = (isSkipped: boolean, reason: string): string => (isSkipped ? ` (skipped: ${reason})` : "");

/** The first reason at the end of one of these names; undefined if there is none. */
export const reasonIn = (names: readonly string[]): string | undefined =>
  names.flatMap((name) => / \(skipped: (.+)\)$/.exec(name)?.[1] ?? []).at(0);

/** The line that counts skipped tests by their reasons, the most frequent first. */
export function skippedLine(reasons: readonly (string | undefined)[]): string {
  const counted = [...Map.groupBy(reasons, (reason) => reason)].toSorted(([, a], [, b]) => b.length - a.length);
  const each = counted.map(([reason, { length }]) => `${length} ${reason ? `because ${reason}` : "no reason given"}`);
  return `${reasons.length} skipped: ${each.join("; ")}`;
}
