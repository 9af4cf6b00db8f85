/** Numbers that the card schemes publish for tests. */
export const cardNumbers = {
  Visa: "4111111111111111",
  Mastercard: "5555555555554444",
  "Mastercard of the second range": "2223003122003222",
  "American Express": "378282246310005",
  Diners: "30569309025904",
  JCB: "3530111333300000",
  Discover: "6011111111111117",
  UnionPay: "6212345678901232",
  Maestro: "6304000000000000000",
};

/** The separators that people and programs put between the groups of a number. */
const separators = [
  ...Array.from(" -._/,:*|'\t\n\u0000\u00a0\u00ad\u2009\u202f\u200b\u2028\u2011\u2013\u00b7\u2022…"),
  "  ",
  ", ",
  " - ",
  "\r\n",
  "",
];
const grouped = (number: string, separator: string) => number.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`);

/** The zeros of other scripts and forms: full-width, Arabic, Devanagari and bold. */
const zeros = [0xff10, 0x660, 0x966, 0x1d7ce];
const inScript = (number: string, zero: number) =>
  number.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const asSuperscript = (number: string) => number.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? digit);

/** A card number as receipts, people and word processors write it. */
export const spellings = (number: string): readonly string[] => [
  ...separators.map((separator) => grouped(number, separator)),
  ...zeros.map((zero) => inScript(number, zero)),
  asSuperscript(number),
  number.replaceAll(/\d/g, "$&\u0336"),
  grouped(number, " ").replaceAll(/\d/g, "$&\u0336"),
  `${number.slice(0, 8)}${inScript(number.slice(8), 0xff10)}`,
];

/** All that a person could read as digits in this text, which may be JSON of JSON, without what stands between them. */
export function readableDigits(text: string): string {
  const ascii = zeros.reduce(
    (read, zero) => read.replaceAll(/\p{Nd}/gu, (digit) => asDigit(digit, zero)),
    text.normalize("NFKC"),
  );
  return ascii.replaceAll(/\\+(?:u[\da-f]{4}|[nrt])/g, "").replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function asDigit(character: string, zero: number): string {
  const digit = (character.codePointAt(0) ?? 0) - zero;
  return digit >= 0 && digit <= 9 ? String(digit) : character;
}
