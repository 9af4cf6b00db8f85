import { describe, expect, it } from "vitest";
import { mailTextsRecord } from "../../../shared/domain/mail-brand.ts";
import { shippedLanguages, textsFor, textsMissing } from "../../../shared/adapters/mails/texts.ts";
import { arabicTexts } from "../../support/token-mails.ts";

describe("the texts of a mail", () => {
  it.each(shippedLanguages)("in %s stay within the operator's limits", (language) => {
    for (const kind of ["voucher", "key"] as const)
      expect(mailTextsRecord.safeParse(textsFor(language, kind).texts).error?.issues).toBeUndefined();
  });

  it("are the operator's own if there are any, one by one", () => {
    const { texts, lang } = textsFor("sv-SE", "voucher", { headline: "Din fika", code: undefined });
    expect(texts).toMatchObject({ headline: "Din fika", code: "Kod" });
    expect(lang).toBe("sv-SE");
  });

  it("make a mail one of their language if they are most of it, and leave it English if they are few", () => {
    const { headline, ...most } = arabicTexts;
    expect(textsFor("ar-EG", "voucher", most)).toMatchObject({ lang: "ar-EG", texts: { headline: "Your voucher" } });
    expect(textsFor("ar-EG", "voucher", { headline })).toMatchObject({ lang: "en", texts: { headline } });
  });

  it("are missing in another language until each is written; texts that a kind does not use are not required", () => {
    expect(textsMissing("sv-SE", "voucher")).toEqual([]);
    expect(textsMissing("nn-NO", "key")).toEqual([]);
    const missing = textsMissing("ar-EG", "voucher", { headline: "قسيمتك" });
    expect(missing).toContain("value");
    expect(missing).not.toContain("headline");
    expect(missing).not.toContain("terms"); // a mail may omit them
    expect(textsMissing("ar-EG", "key")).not.toContain("value");
    expect(textsMissing("ar-EG", "voucher", arabicTexts)).toEqual([]);
  });
});
