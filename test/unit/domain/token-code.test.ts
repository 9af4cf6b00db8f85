import { describe, expect, it } from "vitest";
import { readCode, spellCode } from "../../../shared/domain/token-code.ts";
import { fc } from "../../support/drawn.ts";

const bytes = fc.uint8Array({ minLength: 10, maxLength: 32 });
const code = bytes.map(spellCode);
const DATA = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const plain = (spelled: string) => spelled.replaceAll("-", "");

describe("a code", () => {
  it("is four groups of four, and is read back to the same symbols", () => {
    fc.assert(
      fc.property(code, (spelled) => {
        expect(spelled).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{3}[0-9A-HJKMNP-Z*~$=]$/);
        expect(readCode(spelled)).toBe(plain(spelled).slice(0, 15));
      }),
    );
  });

  it.each([
    ["zero", [0, 0], "0000-0000-0000-0000"],
    ["one", [0, 32], "0000-0000-0000-0011"],
    ["thirty-two, whose check symbol is no digit or letter", [4, 0], "0000-0000-0000-010*"],
    ["thirty-six", [4, 128], "0000-0000-0000-014U"],
  ])("of the number %s is known", (_, lastBytes, spelled) => {
    expect(spellCode(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, ...lastBytes]))).toBe(spelled);
  });

  it("is read in any case, with or without hyphens, and with letters that look like digits", () => {
    const styles = fc.constantFrom<(s: string) => string>(
      (s) => s.toLowerCase(),
      (s) => plain(s),
      (s) => ` ${s.replaceAll("-", " ")} `,
      (s) => s.replaceAll("0", "O").replaceAll("1", "I"),
      (s) => s.replaceAll("0", "o").replaceAll("1", "l"),
    );
    fc.assert(
      fc.property(code, styles, (spelled, style) => {
        expect(readCode(style(spelled))).toBe(readCode(spelled));
      }),
    );
  });

  it("with any one wrong symbol is recognized as mistyped", () => {
    fc.assert(
      fc.property(code, fc.nat(14), fc.nat(30), (spelled, place, by) => {
        const typed = Array.from(plain(spelled));
        typed[place] = DATA[(DATA.indexOf(typed[place] ?? "") + 1 + by) % 32] ?? "";
        expect(readCode(typed.join(""))).toBeUndefined();
      }),
    );
  });

  it("with any two symbols swapped is recognized as mistyped", () => {
    fc.assert(
      fc.property(code, fc.nat(13), (spelled, place) => {
        const typed = Array.from(plain(spelled));
        const [one, other] = [typed[place] ?? "", typed[place + 1] ?? ""];
        fc.pre(one !== other);
        typed.splice(place, 2, other, one);
        expect(readCode(typed.join(""))).toBeUndefined();
      }),
    );
  });

  it.each(["", "0", "0000-0000-0000-000", "0000-0000-0000-00000", "U000-0000-0000-0000", "....-....-....-....", "💥"])(
    "is refused in a malformed form: %j",
    (typed) => {
      expect(readCode(typed)).toBeUndefined();
    },
  );
});
