import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { beforeAll, describe, expect, it } from "vitest";
import { newLook, shownLook } from "../../infra/operator/admin/commands/template-look.ts";
import { writePreview } from "../../infra/operator/admin/mail-preview.ts";
import { readMailTexts } from "../../infra/operator/admin/mail-texts-file.ts";
import { perform } from "../../infra/operator/admin/program.ts";
import { UsageError } from "../../infra/tools/script.ts";
import { mailTextLimits } from "../../shared/domain/mail-brand.ts";
import { because, browserIsPresent } from "../support/browser.ts";
import { aTemplate } from "../support/consumer.ts";
import { brands } from "../support/token-mails.ts";

const templateID = "99999999-0000-4000-8000-000000000001";
const now = "2026-11-21T10:00:00.000Z";
const aFolder = () => mkdtempSync(join(tmpdir(), "template-look-"));
function aFile(content: unknown): string {
  const path = join(aFolder(), "texts.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const refusalOf = (...words: string[]) =>
  perform(words, { findCloud: () => Promise.reject(new Error("looked for the cloud")), note: () => {} }).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a file of texts", () => {
  it("is read by locale, and may remove a locale", () => {
    const path = aFile({
      SV: { terms: "Ett per gäst.\nInte i kombination." },
      "de-at": { help: "Fragen Sie." },
      fr: null,
    });
    expect(readMailTexts(path)).toEqual({
      sv: { terms: "Ett per gäst.\nInte i kombination." },
      "de-AT": { help: "Fragen Sie." },
      fr: null,
    });
  });

  it.each<[string, unknown, RegExp]>([
    ["no JSON", "{", /is not JSON/],
    ["a list", [], /^--texts: the file: /],
    ["an unknown text", { sv: { footer: "x" } }, /^--texts: sv: .*footer.*Its texts: headline, /],
    [
      "a text that is too long",
      { sv: { headline: "x".repeat(61) } },
      /^--texts: sv\.headline: has more than 60 characters/,
    ],
    ["a text that turns others round", { sv: { terms: "a\u202eb" } }, /^--texts: sv\.terms: has a character/],
    ["no locale", { "not a locale": { terms: "x" } }, /not a locale is not a locale/],
  ])("is refused in one sentence: %s", (_, content, sentence) => {
    expect(() => readMailTexts(aFile(content))).toThrow(UsageError);
    expect(() => readMailTexts(aFile(content))).toThrow(sentence);
  });
});

describe("wrong options of a look", () => {
  const limits = ["--everywhere", "--users", "shop", "--a-day", "9", "--in-all", "99"];
  const newKey = ["template", "create", "--name", "A", "--kind", "key", ...limits];
  it.each([
    [["template", "set", templateID], /^Nothing to set/],
    [["template", "set", templateID, "--colour", "red"], /^--colour is six hexadecimal digits/],
    [["template", "set", templateID, "--sender", "A", "--without", "sender"], /^--without removes a part that another/],
    [["template", "set", templateID, "--brand", "A", "--without", "brand"], /^--without removes a part that another/],
    [["template", "set", templateID, "--without", "value"], /^--without is one of brand, logo, sender, texts\./],
    [["template", "set", templateID, "--amount", "100"], /amount/],
    [[...newKey, "--colour", "#112233"], "A brand must have a name and a colour."],
    [["template", "preview", templateID], /^Required option '--out <folder>'/],
    [["token", "extend", templateID], "Use either --until or --days."],
    [["token", "extend", templateID, "--days", "-1"], /--days/],
    [
      ["token", "extend", templateID, "--days", "1", "--until", "2027-01-31T00:00:00Z"],
      "Use either --until or --days.",
    ],
    [["token", "resend", templateID, "--to", "anna"], /^--to takes one plain address/],
  ])("are refused before the command looks for a cloud: %j", async (words, sentence) => {
    const error = await refusalOf(...words);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
  });
});

describe("a displayed look", () => {
  it("shows the text colour that its colour needs, and only the logo's size", () => {
    const shown = shownLook(aTemplate(), { brand: brands.harbour });
    expect(shown).toMatchObject({ brand: "Harbour Sauna", ink: expect.stringMatching(/^#000000, contrast 1\d\.\d$/) });
    expect(shown.logo).toMatch(/^\d+ × \d+ pixels, \d+ bytes$/);
    expect(JSON.stringify(shown)).not.toContain("iVBOR");
  });

  it("names missing texts in a language that the platform does not have", () => {
    expect(shownLook(aTemplate({ locale: "fr-FR" }), {}).missing).toContain("headline");
    expect(shownLook(aTemplate({ locale: "fi-FI" }), {}).missing).toBeUndefined();
  });

  it("is created with its template", () => {
    const none = { brand: undefined, colour: undefined, logo: undefined, sender: undefined, texts: undefined };
    const brand = { name: "A", colour: "#112233" };
    expect(newLook({ ...none, brand: "A", colour: "#112233" })).toEqual({ brand });
    expect(newLook(none)).toBeUndefined();
  });
});

describe("a preview", () => {
  const folder = aFolder();
  let written: Awaited<ReturnType<typeof writePreview>>;
  beforeAll(async () => {
    const look = { brand: brands.harbour, texts: { fr: { terms: "Un seul par personne." } } };
    written = await writePreview(aTemplate({ locale: "sv-SE" }), look, { folder, now });
  });

  it("has a voucher's and a key's mail in every locale, and names what is missing where", () => {
    const locales = ["da", "de", "en", "fi", "fr", "nb", "sv", "sv-SE"];
    expect([...new Set(written.map(({ locale }) => locale))]).toEqual(locales);
    expect(written.filter(({ missing }) => missing.length > 0).map(({ locale, kind }) => `${locale} ${kind}`)).toEqual([
      "fr voucher",
      "fr key",
    ]);
    const [french] = written.filter(({ locale }) => locale === "fr");
    expect(french?.missing).toContain("headline");
    expect(french?.missing).not.toContain("terms");

    expect(readdirSync(folder).toSorted()).toEqual(written.flatMap(({ files }) => files).toSorted());
    expect(readFileSync(join(folder, "fr-voucher.txt"), "utf8")).toContain("Un seul par personne.");
    const html = readFileSync(join(folder, "sv-key.html"), "utf8");
    expect(html).not.toContain("cid:");
    expect(html.match(/data:image\/png/g)?.length).toBe(2);
    expect(html).toContain("Harbour Sauna");
  });

  it.skipIf(!browserIsPresent)(`has a picture of each mail, as wide as a phone's screen${because}`, () => {
    const picture = PNG.sync.read(readFileSync(join(folder, "sv-key.png")));
    expect(picture.width).toBe(780);
    expect(picture.height).toBeGreaterThan(800);
  });
});

it("every text has its limit in the help of `template set`", async () => {
  const performed = await perform(["template", "set", "--help"], {
    findCloud: () => Promise.reject(new Error("looked for the cloud")),
    note: () => {},
  });
  for (const [name, most] of Object.entries(mailTextLimits))
    expect("help" in performed && performed.help).toContain(`${name} ${most}`);
});
