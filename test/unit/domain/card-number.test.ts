import { describe, expect, it } from "vitest";
import { holdsCardNumber, withoutCardNumbers } from "../../../shared/domain/card-number.ts";
import { fc } from "../../support/drawn.ts";

/** Numbers that the card schemes publish for tests. */
const numbers = {
  Visa: "4111111111111111",
  Mastercard: "5555555555554444",
  "Mastercard of the second range": "2223003122003222",
  "American Express": "378282246310005",
  Diners: "30569309025904",
  JCB: "3530111333300000",
  Discover: "6011111111111117",
  UnionPay: "6212345678901232",
};
const spelled = (number: string) => [
  number,
  number.replaceAll(/(\d{4})(?=\d)/g, "$1 "),
  number.replaceAll(/(\d{4})(?=\d)/g, "$1-"),
];

describe.each(Object.entries(numbers))("a card number of %s", (_, number) => {
  it.each(spelled(number))("is found as %s, and only its last four digits are left", (text) => {
    const [last, before] = [number.slice(-4), `paid with ${text}`];
    for (const whole of [text, before, `${text}=29121010000`, `PAN${text}.`, `${text}, cvc 123`]) {
      expect(holdsCardNumber(whole)).toBe(true);
      expect(withoutCardNumbers(whole)).toBe(whole.replace(text, `…${last}`));
    }
  });
});

it.each([
  ["4111111111111112", "a wrong check digit"],
  ["9111111111111111", "no scheme's beginning"],
  ["41111111111111111111", "twenty digits"],
  ["411111111117", "twelve digits"],
  ["4111  1111  1111  1111", "two blanks between its digits"],
  ["order 7 of 2026-11-21 10:30", "no such length"],
  ["5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10", "letters between"],
])("%s is not a card number: it has %s", (text) => {
  expect(holdsCardNumber(text)).toBe(false);
  expect(withoutCardNumbers(text)).toBe(text);
});

it("leaves no card number in any text, and changes nothing else", () => {
  const part = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(...Object.values(numbers).flatMap(spelled)),
    fc.integer({ min: 0, max: 99_999 }).map(String),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join("");
      const masked = withoutCardNumbers(text);
      expect(holdsCardNumber(masked)).toBe(false);
      if (!holdsCardNumber(text)) expect(masked).toBe(text);
    }),
  );
});
