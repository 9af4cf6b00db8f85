import { describe, expect, it } from "vitest";
import { mailTextLimits, type MailTexts } from "../../../../shared/domain/mail-brand.ts";
import { writeTokenMail } from "../../../../shared/adapters/mails/token-mail.ts";
import { aKey, aMail, arabicTexts, brands, ownTexts } from "../../../support/token-mails.ts";
import { attributesOf, elementsOf } from "../html.ts";

// The rules of docs/mails.md, for every form that a mail can have.

/** Elements, attributes and CSS of a mail that Gmail, Outlook, Apple Mail, Yahoo, Samsung's mail and Thunderbird know. */
const known = `<html> <head> <title> <meta> <div> <table> <tbody> <tr> <td> <img> <h1> <h2> <p> <span> <br>
  lang= dir= xmlns= xmlns:v= xmlns:o= http-equiv= content= name= type= media= style= class=
  border= cellpadding= cellspacing= align= width= height= src= alt= display:block display:inline-block
  background: background-color: border: border-collapse: border-top: color: direction: font-family: font-size: font-weight:
  line-height: margin: padding: text-align: unicode-bidi: vertical-align: width:`.split(/\s+/);

/** Features that the mail uses and some clients lack, with the effect for the reader. A mail has no others. */
const lacking: Readonly<Record<string, string>> = {
  "<style>": "Gmail in a phone's browser, and mostly Outlook on Windows: the mail is light on a dark screen",
  "<body>": "Yahoo, Outlook on a Mac: a page of their own; the first block has the ground's colour as well",
  "<wbr>": "Outlook on Windows, Gmail on iOS: the code breaks behind a hyphen, if anywhere",
  "role=": "Windows Mail: tables of layout are read aloud as tables",
  "aria-label=": "Yahoo, Windows Mail, Thunderbird: the heading says the same",
  "aria-roledescription=": "most readers: they do not say that this is a mail",
  "border-radius:": "Outlook on Windows: corners are square",
  "box-sizing:": "Outlook on Windows, Yahoo: the plate of a wide logo is somewhat wider",
  "height:": "Yahoo: the attribute says the same",
  "max-width:": "Outlook on Windows: its comments have tables of 544 pixels",
  "opacity:": "Outlook on Windows: the line of the ticket is as dark as the letters",
  "word-spacing:": "Outlook on Windows: nothing, as the value is the usual one",
  "white-space:": "Outlook on Windows, Samsung: the code may break elsewhere on a narrow screen",
  "word-break:": "Yahoo, Windows Mail: a word that is longer than its line is wider than the card",
  "display:none": "Gmail in a phone's browser: the line for the list of mails is seen, one pixel high",
  "max-height:": "Outlook on Windows: it leaves that line out by `display`",
  "overflow:": "Outlook on Windows: it leaves that line out by `display`",
};

const longestOf = ([name, most]: [string, number]) => [name, "å".repeat(most)];
const longest = Object.fromEntries(Object.entries(mailTextLimits).map(longestOf)) as MailTexts;
const shapes = Object.entries({
  "a voucher without a brand": aMail(),
  "a voucher for its product only": aMail({ value: undefined }),
  "a voucher with everything": aMail({ brand: brands.harbour, texts: ownTexts }),
  "a voucher with the longest texts": aMail({ brand: brands.harbour, texts: longest, pageName: "å".repeat(80) }),
  "a voucher in Arabic": aMail({ brand: brands.roastery, texts: arabicTexts, locale: "ar-EG" }),
  "a key": aKey({ brand: brands.roastery }),
  "a key that is valid at once": aKey({ validFrom: undefined }),
}).map(([shape, mail]) => ({ shape, ...writeTokenMail(mail) }));

it("uses features that mail clients know, or is right without them", () => {
  const used = new Set(shapes.flatMap(({ html }) => elementsOf(html)).flatMap(featuresOf));
  expect([...used].toSorted()).toEqual([...known, ...Object.keys(lacking)].toSorted());
});

/** The element, its attributes, the properties of its style with the values of `display`, and functions such as `url(`. */
function featuresOf(element: ReturnType<typeof elementsOf>[number]): readonly string[] {
  const { style = "", ...others } = attributesOf(element);
  const properties = [...style.matchAll(/(?:^|;)\s*((?:display:[\w-]+)|(?:[\w-]+:))/g)].map(([, name = ""]) => name);
  const functions = [...style.matchAll(/[\w-]+\(/g)].map(([name]) => name);
  const attributes = [...Object.keys(others), ...(style ? ["style"] : [])].map((name) => `${name}=`);
  return [`<${element.tagName}>`, ...attributes, ...properties, ...functions];
}

describe.each(shapes)("$shape", ({ html, subject, text }) => {
  const elements = elementsOf(html);
  const all = (tag: string) => elements.filter(({ tagName }) => tagName === tag).map(attributesOf);

  it("is HTML that needs no repair, even for Outlook, which reads comments that others ignore", () => {
    const outlooks = html
      .replaceAll(/<!--\[if !mso\]><!-->.*?<!--<!\[endif\]-->/gs, "")
      .replaceAll(/<!--\[if [^\]]*mso[^\]]*\]>|<!\[endif\]-->/g, "");
    expect(elementsOf(outlooks).length).toBeGreaterThan(elements.length);
    expect(tagsLeftOpen(outlooks)).toEqual([]);
    expect(tagsLeftOpen(html)).toEqual([]);
  });

  it("is laid out by tables that are not read aloud as tables, and has no links", () => {
    const layout = { role: "presentation", border: "0", cellpadding: "0", cellspacing: "0" };
    for (const table of all("table")) expect(table).toMatchObject(layout);
    expect(html.replaceAll(/xmlns(?::\w)?="[^"]*"/g, "")).not.toMatch(/https?:|url\(|@import/);
  });

  it("needs its style sheet only for dark screens", () => {
    const rules = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet]) => sheet).join("\n");
    expect(rules).toContain("prefers-color-scheme: dark");
    const classes = [...rules.matchAll(/\.([a-z][\w-]*)[\s,>{]/g)].map(([, name = ""]) => name);
    const ours = ["page", "hole", "card", "ink", "quiet", "label"];
    expect(classes.filter((name) => !ours.includes(name) && !/^(?:mj|moz)-/.test(name))).toEqual([]);
    for (const { style } of all("div").filter((div) => div["class"]?.includes("mj-column")))
      expect(style).toContain("width:100%");
  });

  it("names the language and the direction, and declares that it supports dark screens", () => {
    expect(all("html")).toMatchObject([{ lang: expect.any(String), dir: expect.stringMatching(/^(ltr|rtl)$/) }]);
    expect(all("meta")).toContainEqual({ name: "color-scheme", content: "light dark" });
    expect(all("meta")).toContainEqual({ name: "viewport", content: "width=device-width, initial-scale=1" });
  });

  it("has one heading of its own, and then one for each part", () => {
    const headings = elements.map(({ tagName }) => tagName).filter((tag) => /^h\d$/.test(tag));
    expect(headings.join(" ")).toMatch(/^h1( h2)+$/);
  });

  it("contains its pictures, each with its size and its text", () => {
    const [src, alt, side] = [/^cid:/, /\S/, /^[1-9]\d*$/].map((pattern) => expect.stringMatching(pattern));
    const style = expect.stringContaining("max-width:100%");
    expect(all("img").length).toBeGreaterThan(0);
    for (const image of all("img")) expect(image).toMatchObject({ src, alt, width: side, height: side, style });
  });

  it("has less than 60 KB of HTML, and also a text part and a subject", () => {
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(text.length).toBeGreaterThan(200);
    expect(subject).toMatch(/\S: \S/);
  });
});

/** Tags that are not closed in the order in which they were opened; comments are skipped. */
function tagsLeftOpen(html: string): readonly string[] {
  const open: string[] = [];
  for (const [, end, tag = "", own] of html
    .replaceAll(/<!--.*?-->|<style.*?<\/style>|<!doctype html>/gs, "")
    .matchAll(/<(\/?)([a-z][\w:]*)(?:"[^"]*"|[^>"])*?(\/?)>/g)) {
    if (own === "/" || /^(?:img|meta|br|wbr)$/.test(tag)) continue;
    if (end === "") open.push(tag);
    else if (open.at(-1) === tag) open.pop();
    else return [...open, `/${tag}`];
  }
  return open;
}
