import { describe, expect, it } from "vitest";
import { changedLook, MAX_LOCALES, ownTextsFor } from "../../../shared/domain/template-look.ts";

const brand = { name: "Fjord & Bean", colour: "#7a2e1d", senderName: "Fjord" };
const logo = { png: "iVBORw0KGgoAAAAA", width: 100, height: 40 };

describe("a change of a look", () => {
  it("does not change what it does not name", () => {
    const texts = { sv: { terms: "Ett per gäst." } };
    expect(changedLook({ brand, texts }, { brand: { colour: "#112233" } })).toEqual({
      brand: { ...brand, colour: "#112233" },
      texts,
    });
    expect(changedLook({ brand, texts }, { texts: { de: { terms: "Eines je Gast." } } })).toEqual({
      brand,
      texts: { ...texts, de: { terms: "Eines je Gast." } },
    });
  });

  it("removes members that it sets to null, and a locale's texts as a whole", () => {
    const known = { brand: { ...brand, logo }, texts: { sv: { terms: "a", help: "b" }, de: { terms: "c" } } };
    expect(
      changedLook(known, { brand: { logo: null, senderName: null }, texts: { sv: { terms: "d" }, de: null } }),
    ).toEqual({
      brand: { name: brand.name, colour: brand.colour },
      texts: { sv: { terms: "d" } },
    });
    expect(changedLook(known, { brand: null, texts: null })).toEqual({});
  });

  it.each([
    ["a colour alone", { colour: "#112233" }, "A brand must have a name and a colour."],
    ["a logo alone", { logo }, "A brand must have a name and a colour."],
    ["a name with a line break", { name: "A\r\nBcc: eve", colour: "#112233" }, /^The brand's name /],
    ["a colour that is none", { name: "A", colour: "red;}" }, /^The brand's colour /],
  ])("is refused in one sentence: %s", (_, wanted, why) => {
    expect(changedLook({}, { brand: wanted })).toEqual({ why: expect.stringMatching(why) });
  });

  it("is refused beyond the number of locales that a row holds", () => {
    const many = Object.fromEntries(Array.from({ length: MAX_LOCALES + 1 }, (_, i) => [`a${i}`, { terms: "x" }]));
    expect(changedLook({}, { texts: many })).toEqual({ why: "A template can have texts in at most 20 locales." });
  });
});

describe("the texts of a mail", () => {
  const texts = { sv: { terms: "sv", help: "sv" }, "sv-FI": { terms: "sv-FI" } };
  it.each([
    ["sv-SE", { terms: "sv", help: "sv" }],
    ["sv-FI", { terms: "sv-FI", help: "sv" }],
    ["SV-fi", { terms: "sv-FI", help: "sv" }],
    ["de", undefined],
  ])("in %s are those of its language, each replaced by the locale's own", (locale, own) => {
    expect(ownTextsFor({ texts }, locale)).toEqual(own);
  });
});
