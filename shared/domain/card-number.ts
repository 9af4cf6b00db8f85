/**
 * Digits that may be a card number: 13 to 19 of them, with single blanks or hyphens between. If more digits come before or after, it is
 * another number.
 */
const DIGITS = /(?<!\d[ -]?)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g;

/** The first digits of the card schemes' numbers: American Express, Diners, JCB, Mastercard, Maestro, Visa, Discover and UnionPay. */
const SCHEMES = /^(?:3[04-9]|4|5[0-8]|2[2-7]|6|81)/;

function isCardNumber(digits: string): boolean {
  return SCHEMES.test(digits) && luhnSum(digits) % 10 === 0;
}

/** The check sum of ISO/IEC 7812. Each second digit from the right is doubled, and 9 is subtracted from a result of two digits. */
const luhnSum = (digits: string): number =>
  Array.from(digits)
    .toReversed()
    .reduce((sum, digit, i) => {
      const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2);
      return sum + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/** Whether a free text holds a card number. Do not check identifiers: one in ten random numbers has a right check digit. */
export const holdsCardNumber = (text: string): boolean =>
  [...text.matchAll(DIGITS)].some(([found]) => isCardNumber(digitsOf(found)));

/** The text with each card number replaced by its last four digits, `…1111`, which may be shown. */
export const withoutCardNumbers = (text: string): string =>
  text.replaceAll(DIGITS, (found) => {
    const digits = digitsOf(found);
    return isCardNumber(digits) ? `…${digits.slice(-4)}` : found;
  });
