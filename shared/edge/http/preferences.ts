/**
 * Whether the header `Prefer` asks for `handling=strict`. The first preference of a name counts, and its name is compared without case.
 * Other preferences are ignored. (RFC 7240)
 */
export function prefersStrict(prefer: string | null): boolean {
  const withoutQuotes = (prefer ?? "").replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) =>
    text.replaceAll(/[,;=]/g, "_"),
  );
  const preferences = withoutQuotes
    .split(",")
    .map((one) => (one.split(";")[0] ?? "").split("=").map((part) => part.trim()));
  return preferences.find(([name]) => name?.toLowerCase() === "handling")?.[1]?.toLowerCase() === "strict";
}
