import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { readCode } from "../../../shared/domain/token-code.ts";
import { shippedLanguages } from "../../../shared/adapters/mails/texts.ts";
import { picturesOf, writeTokenMail } from "../../../shared/adapters/mails/token-mail.ts";
import { aKey, aMail, arabicTexts, brands, CODE, ownTexts } from "../../support/token-mails.ts";
import { readQr } from "../../support/qr.ts";
import { readsAs, shownIn } from "./html.ts";

/** Intl writes no-break spaces, and a mail breaks lines. Only the words matter here. */
const spaced = (text: string) => text.replaceAll(/\s+/g, " ");
const locales = shippedLanguages.map((language) => `${language}-SE`);

describe("the mail of a voucher", () => {
  it("names in both parts its giver, its value, its code, its end in the template's time zone, and the operator's texts", () => {
    const { subject, text, html } = writeTokenMail(aMail({ brand: brands.roastery, texts: ownTexts }));
    expect(subject).toBe("Your voucher: Kaffe & kaka");
    for (const part of [spaced(text), spaced(readsAs(html))]) {
      for (const said of ["Fjord & Bean", "Your voucher", "50 kr", "off your payment", "Kaffe & kaka", CODE])
        expect(part).toContain(said);
      expect(part).toMatch(/Valid until:? 1 January 2027.*00:30/);
      for (const said of Object.values(ownTexts).map((said) => spaced(String(said)))) expect(part).toContain(said);
      expect(part).not.toContain("Valid from");
    }
  });

  it("leaves out texts that were not written", () => {
    const { text, html } = writeTokenMail(aMail({ value: undefined }));
    for (const part of [spaced(text), spaced(readsAs(html))]) {
      for (const title of ["Terms", "Where it is valid", "Questions?", "off your payment", "undefined"])
        expect(part).not.toContain(title);
      expect(part).toMatch(/Voucher for:? Kaffe & kaka/);
    }
  });

  it("shows its value and its end in a list of mails, before it is opened", () => {
    expect(spaced(shownIn(writeTokenMail(aMail()).html, "preview"))).toMatch(
      /^50 kr · Kaffe & kaka · Valid until: 1 Jan/,
    );
  });
});

describe("the mail of a key", () => {
  it("says what it opens, and from when to when", () => {
    const { subject, text, html } = writeTokenMail(aKey());
    expect(subject).toBe("Your key: Boat house, north gate");
    for (const part of [spaced(text), spaced(readsAs(html))]) {
      expect(part).toMatch(/This key opens:? Boat house, north gate/);
      expect(part).toMatch(/Valid from:? 24 December 2026.*08:00/);
      expect(part).toMatch(/Valid until:? 1 January 2027.*00:30/);
      expect(part).not.toMatch(/voucher|pay/i);
    }
  });
});

/** Lines that the language shares with English. */
const sameIn = (locale: string) => (locale.startsWith("de") ? ["Code:"] : []);

describe.each(locales)("a mail in %s", (locale) => {
  it.each([
    ["voucher", aMail({ locale, pageName: "X" })],
    ["key", aKey({ locale, pageName: "X" })],
  ])("is only in that language for a %s, and the platform can read its code", (_, mail) => {
    const { text, html } = writeTokenMail(mail);
    expect(html).toContain(`<html lang="${locale}" dir="ltr"`);
    expect(readCode(/^ {4}(.+)$/m.exec(text)?.[1] ?? "")).toBeDefined();
    const linesOf = (written: string) => written.split("\n").filter((line) => /[a-z]{4}/i.test(line));
    const english = linesOf(writeTokenMail({ ...mail, locale: "en-GB" }).text);
    if (!locale.startsWith("en"))
      expect(linesOf(text).filter((line) => english.includes(line))).toEqual(sameIn(locale));
  });

  it("says the same in text and HTML", () => {
    const { text, html } = writeTokenMail(aKey({ locale, brand: brands.roastery, texts: ownTexts }));
    const shown = spaced(readsAs(html));
    for (const line of text.split("\n").filter((line) => !/^[=-]*$/.test(line)))
      for (const part of line.split(": ")) expect(shown).toContain(spaced(part).trim().replace(/:$/, ""));
  });
});

describe("a locale", () => {
  it.each([
    ["en-US", "America/New_York", { kind: "amount", amount: 1_250, currency: "USD" }, /\$12\.50/, /December 31, 2026/],
    ["ja-JP", "Asia/Tokyo", { kind: "amount", amount: 500, currency: "JPY" }, /[¥￥]500/, /2027年1月1日/],
    ["sv-SE", "Europe/Stockholm", { kind: "percent", percent: 12.5 }, /12,5 %/, /1 januari 2027/],
    ["de-DE", "Europe/Berlin", { kind: "amount", amount: 125_050, currency: "EUR" }, /1\.250,50 €/, /1\. Januar 2027/],
    ["fi-FI", "Europe/Helsinki", { kind: "percent", percent: 10 }, /10 %/, /1\. tammikuuta 2027/],
  ] as const)("%s has its own money and dates", (locale, timeZone, value, worth, until) => {
    const text = spaced(writeTokenMail(aMail({ locale, timeZone, value })).text);
    expect(text).toMatch(worth);
    expect(text).toMatch(until);
  });

  it("without texts gets English ones, which are marked as English", () => {
    const { html, text } = writeTokenMail(aMail({ locale: "ar-EG" }));
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html).toContain('lang="ar-EG"'); // its money and dates
    expect(text).toContain("Your voucher");
  });

  it.each(["no", "nn-NO", "nb-NO"])("%s is Norwegian", (locale) => {
    expect(writeTokenMail(aMail({ locale })).subject).toMatch(/^Ditt verdibevis/);
  });

  it("from right to left mirrors the mail, but neither its code nor a name of the other direction", () => {
    const { html, text } = writeTokenMail(aMail({ locale: "ar-EG", texts: arabicTexts }));
    expect(html).toContain('<html lang="ar-EG" dir="rtl"');
    expect(html).not.toMatch(/text-align:left|direction:ltr/);
    expect(html).toContain("text-align:right");
    expect(html).toMatch(/<span dir="ltr" style="unicode-bidi:isolate"><span style="white-space:nowrap">7KQ2/);
    expect(text).toContain("\u2068Kaffe & kaka\u2069");
    expect(text.split("\n")).toContain(`    ${CODE}`);
  });
});

/** Pixels along the picture's diagonal, from its upper left corner to the first dark one. The QR picture begins there. */
function lightMargin(bytes: Buffer): number {
  const { data, width } = PNG.sync.read(bytes);
  return Array.from({ length: width }, (_, at) => data[(at * width + at) * 4] ?? 0).findIndex((red) => red < 128);
}

describe("the pictures of a mail", () => {
  it("are the code, with a margin of four modules, and the brand's logo", async () => {
    const [qr, logo, ...more] = await picturesOf(aMail({ brand: brands.harbour }));
    expect(readQr(Buffer.from(qr?.png ?? []).toString("base64"))).toBe(CODE);
    expect(Buffer.from(logo?.png ?? []).toString("base64")).toBe(brands.harbour.logo.png);
    expect(more).toEqual([]);
    expect(lightMargin(Buffer.from(qr?.png ?? []))).toBe(4 * 16);
    const { html } = writeTokenMail(aMail({ brand: brands.harbour }));
    for (const { cid } of [qr, logo].filter((one) => one !== undefined)) expect(html).toContain(`src="cid:${cid}"`);
  });

  it("have the code and the brand as alternative text", () => {
    const { html } = writeTokenMail(aMail({ brand: brands.harbour }));
    expect(html).toContain(`alt="QR code: ${CODE}"`);
    expect(html).toContain('alt="Harbour Sauna"');
  });

  it("shrink a logo to fit, and never enlarge one", () => {
    const sizeOf = (width: number, height: number) => {
      const brand = { ...brands.harbour, logo: { ...brands.harbour.logo, width, height } };
      const { html } = writeTokenMail(aMail({ brand }));
      return /alt="Harbour Sauna" width="(\d+)" height="(\d+)"/.exec(html)?.slice(1).map(Number);
    };
    expect([sizeOf(400, 100), sizeOf(100, 400), sizeOf(20, 10), sizeOf(2_000, 1)]).toEqual([
      [200, 50],
      [16, 64],
      [20, 10],
      [200, 1],
    ]);
  });
});

describe("the colour of a brand", () => {
  it.each([
    ["#7a2e1d", "#ffffff"],
    ["#f2b632", "#000000"],
  ])("%s has letters of %s", (colour, ink) => {
    const { html } = writeTokenMail(aMail({ brand: { name: "A", colour } }));
    expect(html).toContain(`background-color:${colour}`);
    expect(html).toContain(`color:${ink}`);
  });
});
