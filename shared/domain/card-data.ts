import { cardNumbersIn, innerCardNumbersIn, JOINT, type CardNumber, type Span } from "./card-number.ts";

// Card data in texts that people and terminals wrote. Do not look for it in identifiers: one in ten random numbers has a right check digit.

/** Whether a text of a partner or an operator holds a card number, in any common spelling. */
export const holdsCardNumber = (text: string): boolean =>
  hasDigits(text) && cardNumbersIn(plainOf(text).plain).length > 0;

/**
 * A text of a terminal without card data. The last four digits of a card number are left, as `…1111`. Track data and security codes become
 * `…`. Everything else stays as it was.
 *
 * A number inside a longer one is found too, so a text may lose digits that were not a card's: `docs/card-data.md` says how often.
 */
export function withoutCardData(text: string): string {
  if (!hasDigits(text)) return text;
  const { plain, placeOf } = plainOf(text);
  let masked = "";
  let done = 0;
  for (const { from, to, last4 } of merged(cardDataIn(plain))) {
    masked += `${text.slice(done, placeOf(from)?.from)}…${last4}`;
    done = placeOf(to - 1)?.to ?? text.length;
  }
  return masked + text.slice(done);
}

const hasDigits = (text: string): boolean => /\p{N}/u.test(text);

/** A part of a text that must not be stored. */
interface Found extends Span {
  /** The last four digits of a card number. Empty for other card data. */
  readonly last4: string;
}

/** The rest of track 2 or track 1 behind a card number: the expiry date, the service code, and what the issuer put behind them. */
const TRACK = /\s{0,2}(?:[=D] ?\d{3,}F?|\^[^^\r\n]{0,40}\^\S*)\??/iy;
/** The rest of a track behind digits that the terminal has masked, or that are not a known scheme's. */
const OTHER_TRACK = /(?<=[\d*X]{12})(?:[=D]\d{7,}F?|\^[^^\r\n]{0,40}\^\d\S*)\??/gi;
/** A security code behind its usual name. */
const CODE = /(?<=\b(?:cv[cvn]2?|cv2|csc|cid|security code)\W{0,4})\d(?: ?\d){2,3}(?!\d)/gi;

function cardDataIn(plain: string): readonly Found[] {
  const numbers = withoutDoubts([...cardNumbersIn(plain), ...innerCardNumbersIn(plain)]);
  const others = [OTHER_TRACK, CODE].flatMap((pattern) => [...plain.matchAll(pattern)].map(spanOf));
  return [
    ...numbers.map(({ from, to, digits }) => ({ from, to, last4: digits.slice(-4) })),
    ...numbers.flatMap(({ to }) => trackAt(plain, to)),
    ...others,
  ];
}

/** If numbers overlap, those of a known prefix and length. A card number and an amount behind it may have a right check digit too. */
function withoutDoubts(numbers: readonly CardNumber[]): readonly CardNumber[] {
  const known = new Set(numbers.filter(({ isKnown }) => isKnown).flatMap(placesOf));
  return numbers.filter((number) => number.isKnown || !placesOf(number).some((place) => known.has(place)));
}

const placesOf = ({ from, to }: Span): readonly number[] => Array.from({ length: to - from }, (_, more) => from + more);

function trackAt(plain: string, at: number): readonly Found[] {
  TRACK.lastIndex = at;
  const track = TRACK.exec(plain);
  return track ? [spanOf(track)] : [];
}

const spanOf = ({ index, 0: found }: RegExpExecArray): Found => ({
  from: index,
  to: index + found.length,
  last4: "",
});

/** The parts in their order. Parts that overlap or touch are one, which keeps the last four digits of the first card number. */
function merged(found: readonly Found[]): readonly Found[] {
  const parts: Found[] = [];
  for (const next of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = parts.at(-1);
    if (last && next.from <= last.to)
      parts.splice(-1, 1, { ...last, to: Math.max(last.to, next.to), last4: last.last4 || next.last4 });
    else parts.push(next);
  }
  return parts;
}

const IS_ASCII = /^[\0-\x7f]*$/;

interface PlainText {
  readonly plain: string;
  /** The place in the text of a character of the plain text. */
  readonly placeOf: (index: number) => Span | undefined;
}

/** A text as the search reads it. Digits of all scripts are ASCII digits, and invisible characters are left out. */
function plainOf(text: string): PlainText {
  if (IS_ASCII.test(text)) return { plain: text, placeOf: (index) => ({ from: index, to: index + 1 }) };
  const places: Span[] = [];
  let plain = "";
  let kind: number | undefined;
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const read = unitOf(character);
    if (read) {
      const isOtherScript = read.kind !== undefined && kind !== undefined && read.kind !== kind;
      if (isOtherScript) places.push({ from, to: from });
      plain += isOtherScript ? JOINT + read.unit : read.unit;
      places.push({ from, to });
      kind = read.kind;
    }
    from = to;
  }
  return { plain, placeOf: (index) => places[index] };
}

/** `kind` tells the digits of one script from those of another. Undefined if the character is not a digit. */
interface Unit {
  readonly unit: string;
  readonly kind?: number;
}

const ZERO = 0x30;

/** Undefined if the character is invisible, or marks the one before it. */
function unitOf(character: string): Unit | undefined {
  if (character < "\u0080")
    return character >= "0" && character <= "9" ? { unit: character, kind: ZERO } : { unit: character };
  if (/[\p{Cf}\p{M}]/u.test(character)) return undefined;
  if (/\p{Nd}/u.test(character)) return digitOf(character);
  const unit = character.normalize("NFKC");
  if (/^\d$/.test(unit)) return { unit, kind: 0 };
  if (unit.length === 1) return { unit };
  return { unit: /[\p{L}\p{N}]/u.test(character) ? "l" : "*" };
}

/** Unicode has the ten digits of each script in a row. */
function digitOf(character: string): Unit {
  const point = character.codePointAt(0) ?? ZERO;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  const digit = (point - first) % 10;
  return { unit: String(digit), kind: point - digit };
}
