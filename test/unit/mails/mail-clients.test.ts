import { createTransport } from "nodemailer";
import { describe, expect, it } from "vitest";
import { mailTextLimits, MAX_LOGO_BYTES, type MailTexts } from "../../../shared/domain/mail-brand.ts";
import { inlinePictures, writtenMessage } from "../../../shared/mails/message.ts";
import { writeTokenMail } from "../../../shared/mails/token-mail.ts";
import { aKey, aMail, arabicTexts, brands, ownTexts } from "../../support/token-mails.ts";
import { attributesOf, elementsOf } from "./html.ts";

// The rules of docs/mails.md, over every shape that a mail can have.

const longest = Object.fromEntries(
  Object.entries(mailTextLimits).map(([name, most]) => [name, "å".repeat(most)]),
) as MailTexts;

const shapes = [
  ["a voucher without a brand", aMail()],
  ["a voucher for its product only", aMail({ value: undefined })],
  ["a voucher with everything", aMail({ brand: brands.harbour, texts: ownTexts })],
  ["a voucher with the longest texts", aMail({ brand: brands.harbour, texts: longest, pageName: "å".repeat(80) })],
  ["a voucher in Arabic", aMail({ brand: brands.roastery, texts: arabicTexts, locale: "ar-EG" })],
  ["a key", aKey({ brand: brands.roastery })],
  ["a key that is valid at once", aKey({ validFrom: undefined })],
] as const;

describe.each(shapes)("%s", (_, mail) => {
  const { html, subject, text } = writeTokenMail(mail);
  const elements = elementsOf(html);
  const styles = elements.map((element) => attributesOf(element)["style"] ?? "");

  it("is HTML that needs no repair, for Outlook as well, which reads what others take for comments", () => {
    const outlooks = html
      .replaceAll(/<!--\[if !mso\]><!-->.*?<!--<!\[endif\]-->/gs, "")
      .replaceAll(/<!--\[if [^\]]*mso[^\]]*\]>|<!\[endif\]-->/g, "");
    expect(elementsOf(outlooks).length).toBeGreaterThan(elements.length);
    expect(tagsLeftOpen(outlooks)).toEqual([]);
    expect(tagsLeftOpen(html)).toEqual([]);
  });

  it("is laid out by tables with styles of their own: no flex, grid, float or position", () => {
    expect(styles.filter((style) => /(?:flex|grid|float|position|calc|var\(|url\(|@import)/.test(style))).toEqual([]);
    for (const table of elements.filter(({ tagName }) => tagName === "table"))
      expect(attributesOf(table)).toMatchObject({
        role: "presentation",
        border: "0",
        cellpadding: "0",
        cellspacing: "0",
      });
  });

  it("has nothing that runs, asks or leads away", () => {
    const tags = new Set(elements.map(({ tagName }) => tagName));
    for (const tag of ["script", "form", "input", "button", "a", "link", "iframe", "object", "svg", "video", "base"])
      expect(tags).not.toContain(tag);
    const handlers = elements
      .flatMap(({ attrs }) => attrs.map(({ name }) => name))
      .filter((name) => name.startsWith("on"));
    expect(handlers).toEqual([]);
    const sources = elements.flatMap((element) => [attributesOf(element)["src"], attributesOf(element)["href"]]);
    for (const source of sources.filter((one) => one !== undefined)) expect(source).toMatch(/^cid:/);
    expect(html.replaceAll(/xmlns(?::\w)?="[^"]*"/g, "")).not.toMatch(/https?:/);
  });

  it("needs its style sheet for dark screens alone", () => {
    const sheets = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet = ""]) => sheet);
    const rules = sheets.join("\n");
    expect(rules).toContain("prefers-color-scheme: dark");
    const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)[\s,>{]/g)].map(([, name]) => name));
    const ours = new Set(["page", "hole", "card", "ink", "quiet", "label"]);
    expect([...classes].filter((name = "") => !ours.has(name) && !/^(?:mj|moz)-/.test(name))).toEqual([]);
    const columns = elements.filter((element) => attributesOf(element)["class"]?.includes("mj-column"));
    for (const column of columns) expect(attributesOf(column)["style"]).toContain("width:100%");
  });

  it("names the language and the direction, and tells clients that it knows dark screens", () => {
    const [root] = elements;
    expect(root && attributesOf(root)).toMatchObject({
      lang: expect.any(String),
      dir: expect.stringMatching(/^(ltr|rtl)$/),
    });
    const metas = elements.filter(({ tagName }) => tagName === "meta").map(attributesOf);
    expect(metas).toContainEqual({ name: "color-scheme", content: "light dark" });
    expect(metas).toContainEqual({ name: "viewport", content: "width=device-width, initial-scale=1" });
  });

  it("has one heading of its own and one for each part, in order", () => {
    const headings = elements.map(({ tagName }) => tagName).filter((tag) => /^h\d$/.test(tag));
    expect(headings[0]).toBe("h1");
    expect(new Set(headings.slice(1))).toEqual(new Set(["h2"]));
  });

  it("gives each picture its size and what it says", () => {
    const images = elements.filter(({ tagName }) => tagName === "img").map(attributesOf);
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) {
      expect(image["alt"]).toMatch(/\S/);
      expect(Number(image["width"])).toBeGreaterThan(0);
      expect(Number(image["height"])).toBeGreaterThan(0);
      expect(image["style"]).toContain("max-width:100%");
    }
  });

  it("has less than 60 KB of HTML, and a text part and a subject beside it", () => {
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(text.length).toBeGreaterThan(200);
    expect(subject).toMatch(/\S: \S/);
  });
});

it("has less than 110 KB as a whole, with the longest texts and the largest logo, of which Gmail counts the HTML", async () => {
  const logo = { png: Buffer.alloc(MAX_LOGO_BYTES).toString("base64"), width: 400, height: 128 };
  const mail = aMail({ brand: { ...brands.harbour, logo }, texts: longest, pageName: "å".repeat(80) });
  const message = { ...writtenMessage(mail, "shop@example.com"), attachments: await inlinePictures(mail) };
  const sent = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  expect(Buffer.byteLength(sent.message as Buffer)).toBeLessThan(110_000);
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
