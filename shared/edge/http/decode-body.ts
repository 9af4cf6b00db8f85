/** The first bytes of bodies that are often sent by mistake, and what they are. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/^(?:fffe|feff)/, "The body begins with the byte order mark of UTF-16. Send UTF-8."],
  [/^(?:00|..00)/, "The body begins with a NUL byte, as text in UTF-16 does. Send UTF-8."],
  [/^1f8b/, "The body is compressed with gzip. Send it uncompressed."],
];

/**
 * Decodes a body, which must be in UTF-8. A byte order mark of UTF-8 is skipped. Throws `SyntaxError` for any other body. The message may be
 * shown to the caller: it names the first wrong byte, counted from 1, and repeats nothing.
 */
export function decodeBody(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw new SyntaxError("The body is empty, or was sent without a Content-Length.");
  const begins = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  const mistake = mistakes.find(([pattern]) => pattern.test(begins));
  if (mistake) throw new SyntaxError(mistake[1]);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SyntaxError(`Byte ${firstWrong(bytes)} begins no character of UTF-8.`);
  }
}

/** The place of the first byte that is not UTF-8, from 1. A decoder replaces it, so the bytes of the decoded text differ from there on. */
function firstWrong(bytes: Uint8Array): number {
  const decoded = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let at = bytes.findIndex((byte, index) => byte !== decoded[index]);
  while (((decoded[at] ?? 0) & 0xc0) === 0x80) at -= 1; // the replacement may begin like the wrong character
  return at + 1;
}
