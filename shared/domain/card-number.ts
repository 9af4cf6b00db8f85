/** The first digits of the card schemes' numbers: American Express, Diners, JCB, Mastercard, Maestro, Visa, Discover and UnionPay. */
const SCHEMES = /^(?:3[04-9]|4|5[0-8]|2[2-7]|6|81)/;

const oneOf = (...numbers: readonly string[]): RegExp => new RegExp(`^(?:${numbers.join("|")})$`);

/** The prefixes of schemes whose numbers have one length. */
const OF_ONE_LENGTH = oneOf(
  String.raw`4\d{15}`, // Visa
  String.raw`(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}`, // Mastercard
  String.raw`3[47]\d{13}`, // American Express
  String.raw`3(?:0[0-59]|[689]\d)\d{11}`, // Diners
  String.raw`35(?:2[89]|[3-8]\d)\d{12}`, // JCB
  String.raw`6(?:011|4[4-9]\d|5\d\d)\d{12}`, // Discover
);

/** The prefixes of schemes whose numbers may be longer. */
const OF_ANY_LENGTH = oneOf(
  String.raw`(?:62|81)\d{14,17}`, // UnionPay
  String.raw`(?:50(?:18|20|38)|5893|6304|67(?:59|6[1-3]))\d{12,15}`, // Maestro
);

const [SHORTEST, LONGEST] = [13, 19];
/** The lengths of card numbers, in digits. */
const LENGTHS = Array.from({ length: LONGEST - SHORTEST + 1 }, (_, more) => SHORTEST + more);

/** Whether these digits begin as a scheme's numbers do, and have a right check digit. */
const isCardNumber = (digits: string): boolean => SCHEMES.test(digits) && luhnSum(digits) % 10 === 0;

/** The check sum of ISO/IEC 7812. Each second digit from the right is doubled, and 9 is subtracted from a result of two digits. */
function luhnSum(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i)) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum;
}

/** A part of a text, from its first index to the one after its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Digits that may be a card number. */
export interface CardNumber extends Span {
  readonly digits: string;
  /** Whether a scheme has assigned their prefix to numbers of their length, and to no others. */
  readonly isKnown: boolean;
}

const cardNumber = (digits: string, { from, to }: Span): CardNumber => ({
  digits,
  isKnown: OF_ONE_LENGTH.test(digits),
  from,
  to,
});

const hasAssignedPrefix = (digits: string): boolean => OF_ONE_LENGTH.test(digits) || OF_ANY_LENGTH.test(digits);

/** Stands between digits of different scripts, which are groups of their own. */
export const JOINT = "\u2060";

/** Digits, alone or in groups with up to three separators between. */
const RUNS = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;
const GROUPS = /(?<separator>\D*)(?<digits>\d+)/gu;

/** The groups in which cards show their numbers, by their lengths. */
const PRINTED = /^(?:4-4-4-[1-4](?:-[1-3])?|4-6-[45]|6-(?:[7-9]|1[0-3])|8-8)$/;

interface Group extends Span {
  /** The kind of separator before it. Blanks, dashes and underscores are one kind. */
  readonly after: string;
  readonly digits: string;
}

const groupsOf = ({ 0: run, index }: RegExpExecArray): readonly Group[] =>
  Array.from(run.matchAll(GROUPS), ({ groups: { separator = "", digits = "" } = {}, index: at, 0: whole }) => {
    const to = index + at + whole.length;
    const after = separator.replaceAll(JOINT, "").replaceAll(/[\s\p{Pd}_]+/gu, "-");
    return { from: to - digits.length, to, after, digits };
  });

/**
 * The card numbers in a text: 13 to 19 digits that begin and end at a border of digit groups. Groups belong together if their separators are
 * of one kind, or if a printed card has such groups. A part of several groups of a longer row must have an assigned prefix. Numbers may
 * overlap.
 */
export const cardNumbersIn = (text: string): readonly CardNumber[] =>
  [...text.matchAll(RUNS)].flatMap((run) => {
    const groups = groupsOf(run);
    return groups.flatMap((_, first) =>
      numbersFrom(groups.slice(first, first + LONGEST)).filter(
        ({ from, to, digits }) =>
          to - from === digits.length || to - from === run[0].length || hasAssignedPrefix(digits),
      ),
    );
  });

/** The card numbers that begin with the first of these groups. */
function numbersFrom(groups: readonly Group[]): readonly CardNumber[] {
  const found: CardNumber[] = [];
  let digits = "";
  for (const [i, group] of groups.entries()) {
    digits += group.digits;
    if (digits.length > LONGEST) break;
    if (digits.length >= SHORTEST && isCardNumber(digits) && isOneNumber(groups.slice(0, i + 1)))
      found.push(cardNumber(digits, { from: groups[0]?.from ?? group.from, to: group.to }));
  }
  return found;
}

function isOneNumber(groups: readonly Group[]): boolean {
  const [separator] = groups.slice(1).map(({ after }) => after);
  return (
    groups.slice(1).every(({ after }) => after === separator) ||
    PRINTED.test(groups.map(({ digits }) => digits.length).join("-"))
  );
}

/** The fewest digits without a separator in which any number is looked for. In fewer, it must have an assigned prefix. */
const LONG = 20;

/** The most digits without a separator that are searched. Nearly all longer ones hold a number somewhere, so they count as one. */
const LONGEST_SEARCHED = 64;

/** The card numbers inside longer numbers without separators, such as a number and its expiry date. Numbers may overlap. */
export const innerCardNumbersIn = (text: string): readonly CardNumber[] =>
  [...text.matchAll(/\d{14,}/g)].flatMap(({ 0: run, index }) =>
    run.length > LONGEST_SEARCHED
      ? [cardNumber(run, { from: index, to: index + run.length })]
      : partsOf(run)
          .filter(({ digits }) => isCardNumber(digits) && (run.length >= LONG || hasAssignedPrefix(digits)))
          .map(({ digits, from }) => cardNumber(digits, { from: index + from, to: index + from + digits.length })),
  );

/** All parts of these digits that have the length of a card number. */
const partsOf = (run: string): readonly { readonly digits: string; readonly from: number }[] =>
  Array.from(run.slice(SHORTEST - 1), (_, from) => from).flatMap((from) =>
    LENGTHS.filter((length) => from + length <= run.length).map((length) => ({
      digits: run.slice(from, from + length),
      from,
    })),
  );
