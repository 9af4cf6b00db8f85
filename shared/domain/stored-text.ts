/**
 * JSON that every store keeps unchanged. `JSON.stringify` escapes lone surrogates, which UTF-8 cannot hold. U+2028 and U+2029 are escaped
 * here, because Azurite takes them for line ends and never responds to a group of operations that holds one.
 */
export const storedJson = (record: unknown): string =>
  JSON.stringify(record)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);

/**
 * A text from a terminal, a partner or an operator, made safe to store whatever it holds. Control characters and line separators become
 * spaces, and lone surrogates become U+FFFD. The text is then cut between code points, so that it takes at most `most` characters of its
 * record's JSON. A text of that length without quotes and backslashes is kept whole.
 */
export function storableText(text: string, most: number): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  let size = 0;
  let kept = "";
  for (const character of clean) {
    size += character === '"' || character === "\\" ? 2 : character.length;
    if (size > most) break;
    kept += character;
  }
  return kept;
}
