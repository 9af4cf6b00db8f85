/** Characters that JSON permits in a text, and that some readers take for a line end: DEL, C1 controls such as U+0085, U+2028 and U+2029. */
const LINE_ENDS = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * JSON that every store and every reader of lines keeps unchanged. `JSON.stringify` escapes lone surrogates, which UTF-8 cannot hold, and
 * the controls below U+0020. The other characters that end a line somewhere are escaped here. Azurite, for one, never responds to a group
 * of operations that holds U+2028.
 */
export const storedJson = (record: unknown): string =>
  JSON.stringify(record).replaceAll(LINE_ENDS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A text of a terminal on one line: control characters and line separators are spaces, and lone surrogates U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");

/**
 * A text from a terminal or an operator, made safe to store whatever it holds. It is clean, and cut between code points, so that it takes at
 * most `most` characters of its record's JSON. A text of that length without quotes and backslashes is kept whole.
 */
export function storableText(text: string, most: number): string {
  let size = 0;
  let kept = "";
  for (const character of cleanText(text)) {
    size += character === '"' || character === "\\" ? 2 : character.length;
    if (size > most) break;
    kept += character;
  }
  return kept;
}
