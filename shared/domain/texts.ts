// One rule for all texts, with its exceptions: "Texts" in docs/api-behaviour.md.

/**
 * Whether a text of a partner or a customer can be read in every language. NUL and unpaired surrogates cannot. All else stays as it was
 * sent, because references are opaque, and reasons have line breaks.
 */
export const isPortable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Characters that JSON permits in a text, and that some readers take for a line end or a command. */
const TO_ESCAPE = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * JSON that every store keeps, and that every reader of lines reads. `JSON.stringify` escapes unpaired surrogates, which UTF-8 cannot hold,
 * and the controls below U+0020. DEL, the C1 controls and two line separators are escaped here. Azurite, for one, never responds to a group
 * of operations that holds U+2028.
 */
export const storedJson = (record: unknown): string => escaped(JSON.stringify(record));

/** JSON with the same meaning, and without characters that end a line or control a terminal. */
export const escaped = (json: string): string =>
  json.replaceAll(TO_ESCAPE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JSON for callers and webhooks. An unpaired surrogate, which only a row of an older release can hold, is U+FFFD. */
export const sentJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) =>
    found.startsWith("\\u") ? "\ufffd" : found,
  );

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

/** The letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text for a person at a terminal, on one line. It cannot control the terminal, or turn what is around it: a text with letters that are
 * written from right to left is isolated.
 */
export function shownText(text: string): string {
  const line = cleanText(text).replaceAll(/\p{Bidi_Control}/gu, "");
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** A text for a person at a terminal, in quotes. */
export const quoted = (text: string): string => JSON.stringify(shownText(text));
