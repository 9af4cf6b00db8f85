import { describe, expect, it } from "vitest";
import {
  contrast,
  inkOn,
  mailBrandRecord,
  mailLogoRecord,
  mailTextLimits,
  mailTextsRecord,
  MAX_LOGO_BYTES,
  type MailTextName,
} from "../../../shared/domain/mail-brand.ts";
import { fc } from "../../support/drawn.ts";

const names = Object.keys(mailTextLimits) as MailTextName[];
const png = (bytes: number) =>
  Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(bytes - 8)]).toString("base64");

describe("the texts of a mail's template", () => {
  it.each(names)("accept a %s as long as its limit, and none that is longer or blank", (name) => {
    const isTaken = (text: string) => mailTextsRecord.safeParse({ [name]: text }).success;
    expect(isTaken("å".repeat(mailTextLimits[name]))).toBe(true);
    expect(isTaken("🎟".repeat(mailTextLimits[name]))).toBe(true); // two UTF-16 units, one character
    expect(isTaken("å".repeat(mailTextLimits[name] + 1))).toBe(false);
    expect(isTaken("  ")).toBe(false);
  });

  it("accept several lines if there is room for them", () => {
    expect(mailTextsRecord.safeParse({ terms: "one\ntwo" }).success).toBe(true);
    expect(mailTextsRecord.safeParse({ headline: "one\ntwo" }).success).toBe(false);
  });

  it.each(["\u0000", "\u001b[31m", "\r", "\u2028", "\u202e", "\ud800"])("accept no %j", (character) => {
    const taken = names.filter((name) => mailTextsRecord.safeParse({ [name]: `a${character}b` }).success);
    expect(taken).toEqual([]);
  });
});

describe("a mail's brand", () => {
  it.each(["#b4232a", "#FFFFFF"])("accepts the colour %s", (colour) => {
    expect(mailBrandRecord.safeParse({ name: "Kaffe", colour }).success).toBe(true);
  });

  it.each(["red", "#fff", "#12345g", "#123456;x:y", "url(#123456)", ""])("accepts no colour %j", (colour) => {
    expect(mailBrandRecord.safeParse({ name: "Kaffe", colour }).success).toBe(false);
  });

  it("accepts a logo of 30 KB, and none that is larger or not a PNG", () => {
    const isTaken = (bytes: string) => mailLogoRecord.safeParse({ png: bytes, width: 400, height: 100 }).success;
    expect(isTaken(png(MAX_LOGO_BYTES))).toBe(true);
    expect(isTaken(png(MAX_LOGO_BYTES + 3))).toBe(false);
    expect(isTaken(Buffer.from("<svg onload=alert(1)>").toString("base64"))).toBe(false);
    expect(isTaken("iVBORw0KGgo'\"><script>")).toBe(false);
  });

  it("has readable letters on every colour", () => {
    const colours = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
    fc.assert(fc.property(colours, (colour) => contrast(colour, inkOn(colour)) >= 4.5));
    expect([inkOn("#0b3d2e"), inkOn("#ffd400")]).toEqual(["#ffffff", "#000000"]);
  });

  it("measures contrast as WCAG does", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2); // the well-known value next to the limit
  });
});
