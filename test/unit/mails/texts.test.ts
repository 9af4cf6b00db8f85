import { describe, expect, it } from "vitest";
import { mailTextsRecord } from "../../../shared/domain/mail-brand.ts";
import { shippedLanguages, textsFor, textsMissing } from "../../../shared/mails/texts.ts";
import { arabicTexts } from "../../support/token-mails.ts";

describe("the texts of a mail", () => {
  it.each(shippedLanguages)("in %s keep to the limits that an operator has", (language) => {
    for (const kind of ["voucher", "key"] as const)
      expect(mailTextsRecord.safeParse(textsFor(language, kind).texts).error?.issues).toBeUndefined();
  });

  it("are the operator's own where there are any, one by one", () => {
    const { texts, lang } = textsFor("sv-SE", "voucher", { headline: "Din fika", code: undefined });
    expect(texts).toMatchObject({ headline: "Din fika", code: "Kod" });
    expect(lang).toBe("sv-SE");
  });

  it("make a mail one of their language where they are most of it, and leave it English where they are few", () => {
    const { headline, ...most } = arabicTexts;
    expect(textsFor("ar-EG", "voucher", most)).toMatchObject({ lang: "ar-EG", texts: { headline: "Your voucher" } });
    expect(textsFor("ar-EG", "voucher", { headline })).toMatchObject({ lang: "en", texts: { headline } });
  });

  it("are missing in another language until each is written; what a kind does not say is not asked for", () => {
    expect(textsMissing("sv-SE", "voucher")).toEqual([]);
    expect(textsMissing("nn-NO", "key")).toEqual([]);
    const missing = textsMissing("ar-EG", "voucher", { headline: "قسيمتك" });
    expect(missing).toContain("value");
    expect(missing).not.toContain("headline");
    expect(missing).not.toContain("terms"); // a mail may go without
    expect(textsMissing("ar-EG", "key")).not.toContain("value");
    expect(textsMissing("ar-EG", "voucher", arabicTexts)).toEqual([]);
  });
});
