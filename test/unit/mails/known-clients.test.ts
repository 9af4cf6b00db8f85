import { caniemail } from "caniemail";
import { expect, it } from "vitest";
import { writeTokenMail } from "../../../shared/mails/token-mail.ts";
import { aKey, aMail, arabicTexts, brands, ownTexts } from "../../support/token-mails.ts";

/** Of the other clients the tables of caniemail.com lack the support of pictures or paddings. */
const clients = ["gmail.*", "outlook.*", "apple-mail.*", "yahoo.*", "samsung-email.*", "thunderbird.macos"] as const;

const darkScreens = "for dark screens alone: without it the mail is light";
const looks = "a corner, line, distance or letter looks otherwise";

/** What the mail uses and one of these clients lacks, and why the mail is right there. */
const missed: Readonly<Record<string, string>> = {
  "<style> element": darkScreens,
  "@media": darkScreens,
  "Chaining selectors": darkScreens,
  "Class selector": darkScreens,
  "Descendant combinator": darkScreens,
  "ID selector": darkScreens,
  "Type selector": darkScreens,
  "color-scheme CSS property": darkScreens,
  "color-scheme meta tag": darkScreens,
  "<body> element": "each client puts the mail into a page of its own, and the tables have the ground's colour too",
  "<wbr> element": "the code breaks behind a hyphen in its middle, if anywhere",
  "white-space": "the code may break elsewhere on a narrow screen",
  "word-break": "a word that is longer than its line is wider than the card",
  "aria-label attribute": "the heading says the same",
  "role attribute": "tables of layout are read aloud as tables",
  "system-ui, ui-serif, ui-sans-serif, ui-rounded, ui-monospace": "other fonts of the list follow",
  "border-radius": looks,
  "box-sizing": looks,
  "height property": looks,
  opacity: looks,
  outline: looks,
  "word-spacing": looks,
  "display:none": "the line for the list of mails is seen above the card, one pixel high",
  "max-height property": "the line for the list of mails, where `display` is not known either",
  overflow: "the line for the list of mails, where `display` is not known either",
};

const mails = {
  voucher: aMail({ brand: brands.harbour, texts: ownTexts }),
  "voucher in Arabic": aMail({ brand: brands.roastery, texts: arabicTexts, locale: "ar-EG" }),
  key: aKey(),
};

it("the mails use nothing that a mail client lacks, but what they are right without", () => {
  const lacking = new Map<string, Set<string>>();
  for (const mail of Object.values(mails)) {
    const { errors } = caniemail({ clients: [...clients], html: writeTokenMail(mail).html }).issues;
    for (const [client, issues] of errors)
      for (const { title } of issues) lacking.set(title, (lacking.get(title) ?? new Set()).add(client));
  }
  expect(new Set(lacking.keys())).toEqual(new Set(Object.keys(missed)));
});

it("a page that is laid out by flex, and asks in a form, is found out", () => {
  const html = '<div style="display:flex"><form><input></form></div>';
  const { errors } = caniemail({ clients: ["gmail.*", "outlook.*"], html }).issues;
  const titles = [...errors].flatMap(([, issues]) => issues.map(({ title }) => title));
  expect(titles).toEqual(expect.arrayContaining(["display:flex", "<form> element"]));
});
