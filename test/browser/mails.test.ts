import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TokenMail } from "../../shared/ports/mails.ts";
import { writeTokenMail } from "../../shared/adapters/mails/token-mail.ts";
import { because, browserIsPresent, startBrowser } from "../support/browser.ts";
import { everywhere, naughtyTexts } from "../support/naughty-texts.ts";
import { readQr } from "../support/qr.ts";
import { aKey, aMail, arabicTexts, brands, CODE, ownTexts, shownHtml } from "../support/token-mails.ts";
import { foundByAxe, openContext } from "./a-page.ts";

let browser: Browser;
beforeAll(async () => {
  if (browserIsPresent) browser = await startBrowser();
});
afterAll(async () => browser?.close());

const mails = {
  "a voucher": aMail({ brand: brands.roastery, texts: ownTexts }),
  "a voucher without a brand, in Finnish": aMail({
    locale: "fi-FI",
    value: { kind: "amount", amount: 1_234_550, currency: "EUR" },
  }),
  "a key in German, with a logo": aKey({ locale: "de-DE", brand: brands.harbour }),
  "a voucher in Arabic": aMail({ locale: "ar-EG", texts: arabicTexts, brand: brands.harbour }),
} as const satisfies Record<string, TokenMail>;

/** Widths in CSS pixels: phones and panes, and a pane of 480 px at twice the zoom. */
const widths = [240, 320, 480, 640];
const themes = ["light", "dark"] as const;

/** A mail is shown within the mail client's page, which has the landmarks. */
const rules = { without: ["landmark-one-main", "region"] };
const widthNeeded = "document.documentElement.scrollWidth";

const opened = async (html: string, width: number, colorScheme: "light" | "dark" = "light") =>
  openContext(browser, `data:text/html;base64,${Buffer.from(html).toString("base64")}`, {
    viewport: { width, height: 800 },
    colorScheme,
    deviceScaleFactor: 2,
  });

/** The QR picture with its margin. If the decoder read the whole page, the result would also depend on the machine's fonts. */
async function aroundCode(page: Page) {
  const box = await page.getByRole("img", { name: CODE }).boundingBox();
  if (!box) throw new Error("the mail shows no QR picture");
  return { x: Math.max(0, box.x - 24), y: Math.max(0, box.y - 24), width: box.width + 48, height: box.height + 48 };
}

/** A picture with inverted colours, as some screens show it. */
function inverted(png: Buffer): Buffer {
  const picture = PNG.sync.read(png);
  for (let i = 0; i < picture.data.length; i++) if (i % 4 !== 3) picture.data[i] = 255 - (picture.data[i] ?? 0);
  return PNG.sync.write(picture);
}

describe.skipIf(!browserIsPresent)(`a mail in a browser${because}`, () => {
  describe.each(Object.entries(mails))("%s", (_, mail) => {
    it.each(themes)(
      "fits every width, %s: it is accessible, and its QR picture is read from the screen",
      async (theme) => {
        const { page, complaints } = await opened(await shownHtml(mail), 640, theme);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate(widthNeeded)).toBe(width);
          expect(await foundByAxe(page, rules)).toEqual([]);
          const screenshot = await page.screenshot({ fullPage: true, scale: "css", clip: await aroundCode(page) });
          expect(readQr(screenshot.toString("base64"))).toBe(CODE);
          expect(readQr(inverted(screenshot).toString("base64"))).toBe(CODE);
        }
        expect(complaints).toEqual([]);
        await page.context().close();
      },
    );

    it.each(themes)("shows the code and the brand as text with pictures off, and fits, %s", async (theme) => {
      const html = writeTokenMail(mail).html.replaceAll(/ src="cid:[^"]*"/g, ' src="data:image/png;base64,"');
      const { page } = await opened(html, 320, theme);
      expect(await page.evaluate(widthNeeded)).toBe(320);
      const shown = [page.getByRole("img", { name: CODE })];
      if (mail.brand) shown.push(page.getByText(mail.brand.name).or(page.getByAltText(mail.brand.name)));
      for (const one of shown) expect(await one.isVisible()).toBe(true);
      expect(await foundByAxe(page, rules)).toEqual([]);
      await page.context().close();
    });
  });

  it("is read aloud in order, without any word about its layout", async () => {
    const { page } = await opened(await shownHtml(aKey({ brand: brands.harbour })), 640);
    const aloud = await page.locator("body").ariaSnapshot();
    const lines = aloud
      .replaceAll("\u202f", " ")
      .split("\n")
      .map((line) => line.replace(/^\s*- /, ""));
    expect(lines.slice(0, 13)).toEqual([
      `'article "Your key: Boat house, north gate"':`,
      'img "Harbour Sauna"',
      'heading "Your key" [level=1]',
      "paragraph: This key opens",
      "paragraph: Boat house, north gate",
      `'img "QR code: ${CODE}"'`,
      "paragraph: Code",
      `paragraph: ${CODE}`,
      "paragraph: Valid from",
      "paragraph: 24 December 2026 at 08:00 CET",
      "paragraph: Valid until",
      "paragraph: 1 January 2027 at 00:30 CET",
      'heading "How to use it" [level=2]',
    ]);
    expect(aloud).not.toMatch(/- (?:table|row|cell)/);
    await page.context().close();
  });

  it("keeps its layout if a client drops its style sheet", async () => {
    const html = await shownHtml(aMail({ brand: brands.harbour, texts: ownTexts }));
    const placesOf = async (shown: string) => {
      const { page } = await opened(shown, 640);
      const places = await page.evaluate(`[...document.querySelectorAll("h1, h2, p, img")].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const first = document.querySelector("h1").getBoundingClientRect();
        return [x - first.x, y - first.y, width, height].map(Math.round).join(" ");
      })`);
      await page.context().close();
      return places;
    };
    expect(await placesOf(html.replaceAll(/<style.*?<\/style>/gs, ""))).toEqual(await placesOf(html));
  });

  it("keeps its code whole except for one break in its middle, at any width", async () => {
    const { page } = await opened(await shownHtml(aMail()), 640);
    const lines = async (width: number) => {
      await page.setViewportSize({ width, height: 800 });
      return page.evaluate<string[]>(`[...document.querySelectorAll("[dir=ltr] > span")]
        .filter((one) => one.style.whiteSpace === "nowrap")
        .map((half) => half.textContent + " " + half.getClientRects().length)`);
    };
    for (const width of [240, 320, 640]) expect(await lines(width)).toEqual(["7KQ2-9XHD- 1", "M3PC-W81* 1"]);
    await page.context().close();
  });

  it.each([
    ["sv-SE", 5_000, "SEK"],
    ["en-US", 125_050, "USD"],
    ["de-CH", 1_234_550, "CHF"],
    ["fr-FR", 12_345_600, "EUR"],
    ["id-ID", 100_000_000, "IDR"],
  ])("shows a value of %s in one line on the narrowest phone", async (locale, amount, currency) => {
    const { page } = await opened(await shownHtml(aMail({ locale, value: { kind: "amount", amount, currency } })), 320);
    expect(await page.evaluate(`document.querySelector("p > span[lang]").getClientRects().length`)).toBe(1);
    await page.context().close();
  });

  it.each(["voucher", "key"] as const)(
    "runs nothing, loads nothing and keeps its width, whatever the texts of a %s",
    async (kind) => {
      const { page, complaints } = await opened("<p>", 320);
      for (const text of naughtyTexts) {
        await page.setContent(await shownHtml({ ...everywhere(kind === "key" ? aKey() : aMail(), text), code: CODE }));
        expect([text, await page.evaluate(widthNeeded)]).toEqual([text, 320]);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});
