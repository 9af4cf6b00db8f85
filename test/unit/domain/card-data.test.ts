import { describe, expect, it } from "vitest";
import { holdsCardNumber, withoutCardData } from "../../../shared/domain/card-data.ts";
import { cardNumbers, spellings } from "../../support/card-spellings.ts";
import { fc } from "../../support/drawn.ts";

describe.each(Object.entries(cardNumbers))("a card number of %s", (_, number) => {
  it.each(spellings(number))("is found as %j, and only its last four digits are left", (text) => {
    for (const [before, behind] of [
      ["", ""],
      ["paid with ", ". Thank you"],
      ["PAN", "EXP1229"],
      ["Till 4, ½ m² for 125.50 ", " 12/29"],
      ["12/29 ", "  125.50"],
    ]) {
      expect(holdsCardNumber(`${before}${text}${behind}`)).toBe(true);
      const masked = withoutCardData(`${before}${text}${behind}`).replace(/\u0336/, "");
      expect(masked).toBe(`${before}…${number.slice(-4)}${behind}`);
    }
  });
});

it.each([
  ["4111.1111 1111/1111", "…1111", "the groups of a printed card"],
  ["4111 1111 1111 1111=2912", "…1111", "an expiry date as in a track"],
  ["378282 246310 005", "…0005", "other groups, with one separator"],
  ["4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "…1111", "single digits"],
  ["41111111111111111229", "…11111229", "a number and its expiry date, in one"],
  ["42222222222221229999", "…222229999", "a number of thirteen digits in twenty"],
  ["4".repeat(70), "…4444", "very many digits"],
  ["54111111111111111", "5…1111", "a digit before it"],
  ["5A084111111111111111", "5A08…1111", "tag and length before it"],
  ["57134111111111111111D29122011234567890F", "571…1111", "track 2 with its tag"],
  [";4111111111111111=29122011234567890?", ";…1111", "track 2 as it is read"],
  ["%B4111111111111111^CARDHOLDER/A B^29122011234567890?", "%B…1111", "track 1"],
  ["track2 4111111111111111=29122011234567890 TOTAL 5", "track2 …1111 TOTAL 5", "track 2 behind its name"],
  ["411111******1111=29122011234567890?", "411111******1111…", "a masked number, and the rest of its track"],
  ["…1111, CVC 123", "…1111, CVC …", "a security code"],
  ['{"cvv":"1234","total":"100"}', '{"cvv":"…","total":"100"}', "a security code as JSON"],
  ["CVC2: 123", "CVC2: …", "a security code by another name"],
])("a terminal's text %j is kept as %j: it has %s", (text, kept) => {
  expect(withoutCardData(text)).toBe(kept);
});

it.each([
  ["4111111111111112", "a wrong check digit"],
  ["9111111111111111", "no scheme's beginning"],
  ["411111111117", "twelve digits"],
  ["4111 1111-11.1111 11", "separators of several kinds, and not the groups of a card"],
  ["order 7 of 2026-11-21 10:30", "no such length"],
  ["5b3c1e57-8a5b-4f0e-9d86-4f5d5a1f6a10", "letters between"],
  ["SE45 5000 0008 0583 9825 7466", "groups of a longer row"],
  ["CID 12345678", "a longer number"],
  ["½ m² 1ﬁ x½", "few digits"],
])("%s holds no card data: it has %s", (text) => {
  expect(holdsCardNumber(text)).toBe(false);
  expect(withoutCardData(text)).toBe(text);
});

it("a partner's text with twenty digits in one is not taken for a card number", () => {
  expect(holdsCardNumber("41111111111111111111")).toBe(false);
});

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`, "u"));
/** A line of a receipt without card data. Its numbers may look like anything. */
const ordinaryLine = fc.oneof(
  digits(6).map((n) => `2026-11-28 12:${n.slice(0, 2)}:${n.slice(2, 4)} KVITTO ${n}`),
  fc.tuple(digits(8), digits(10)).map(([tid, mid]) => `TID ${tid} MID ${mid}`),
  digits(10).map((n) => `AID: A0000000031010 TVR: ${n} TSI: E800`),
  fc.tuple(digits(12), digits(6), digits(6)).map(([rrn, stan, code]) => `RRN ${rrn} STAN ${stan} AUTH ${code}`),
  digits(7).map(
    (n) => `Org.nr 556${n.slice(0, 3)}-${n.slice(3)} Tel 08-${n.slice(0, 3)} ${n.slice(3, 5)} ${n.slice(5)}`,
  ),
  digits(5).map((n) => `TOTAL ${n.slice(0, 3)}.${n.slice(3)} SEK MOMS ${n.slice(0, 2)}.${n.slice(3)}`),
);

it("ordinary lines of a receipt stay as they are", () => {
  fc.assert(
    fc.property(ordinaryLine, (line) => {
      expect(withoutCardData(line)).toBe(line);
    }),
  );
});

it("leaves no card number in any text", () => {
  const spelled = fc.constantFrom(...Object.values(cardNumbers).flatMap(spellings));
  const part = fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), spelled, fc.integer({ min: 0 }).map(String));
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      spelled,
      fc.array(part, { maxLength: 6 }),
      (before, number, behind) => {
        const text = [...before, number, ...behind].join(" ");
        const masked = withoutCardData(text);
        expect(masked).not.toBe(text);
        expect(masked).not.toContain(number);
      },
    ),
  );
});
