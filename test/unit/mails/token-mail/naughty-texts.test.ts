import { describe, expect, it } from "vitest";
import { writeTokenMail } from "../../../../shared/adapters/mails/token-mail.ts";
import { aKey, aMail } from "../../../support/token-mails.ts";
import { everywhere, naughtyTexts } from "../../../support/naughty-texts.ts";
import { attributesOf, elementsOf, readsAs, shownIn, structureOf } from "../html.ts";

const kinds = [
  ["voucher", aMail()],
  ["key", aKey()],
] as const;

describe.each(kinds)("a naughty text in every place of a %s's mail", (_, mail) => {
  const plain = structureOf(writeTokenMail(everywhere(mail, "plain")).html);

  it.each(naughtyTexts)("is shown unchanged, and only as a text: %j", (text) => {
    const { html, subject, text: plainPart } = writeTokenMail(everywhere(mail, text));
    expect(structureOf(html)).toEqual(plain);
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(html + subject + plainPart).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/); // would reverse the texts that follow
    const shown = text.toWellFormed().replaceAll(/[\p{Cc}\p{NChar}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, "");
    expect(readsAs(html).replaceAll(/\s+/g, "")).toContain(shown);
    expect(shownIn(html, "title").replaceAll(/\s+/g, "")).toContain(shown);
  });

  it.each(naughtyTexts)("adds no style, address or handler: %j", (text) => {
    const attributes = (of: string) =>
      elementsOf(writeTokenMail(everywhere(mail, of)).html).map((element) => {
        const { alt: _alt, "aria-label": _label, ...rest } = attributesOf(element);
        return rest;
      });
    const withoutBreaks = (all: ReturnType<typeof attributes>) => all.filter((one) => Object.keys(one).length > 0);
    expect(withoutBreaks(attributes(text))).toEqual(withoutBreaks(attributes("plain")));
  });
});
