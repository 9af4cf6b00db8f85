import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import type { MailLogo } from "../../shared/domain/mail-brand.ts";
import type { TokenMail } from "../../shared/ports/mails.ts";
import { aKey, aMail, arabicTexts, brands, ownTexts, shownHtml } from "../support/token-mails.ts";

// Pictures of mails: vouchers and keys of two merchants, in several languages, on light and dark screens.

interface Scene {
  readonly mail: TokenMail;
  readonly width: number;
  readonly isDark?: true;
}

/** Two merchants' mails, by the names of their pictures. */
function scenes(logo: MailLogo): Readonly<Record<string, Scene>> {
  const harbour = { ...brands.harbour, logo };
  const nordic = { locale: "nb-NO", timeZone: "Europe/Oslo" };
  return {
    "mail-voucher": {
      width: 600,
      mail: aMail({ brand: brands.roastery, texts: ownTexts, pageName: "Coffee & cinnamon bun" }),
    },
    "mail-voucher-dark": {
      width: 390,
      isDark: true,
      mail: aMail({ brand: brands.roastery, locale: "sv-SE", pageName: "Kaffe & kanelbulle" }),
    },
    "mail-voucher-arabic": {
      width: 390,
      mail: aMail({
        brand: harbour,
        locale: "ar-EG",
        timeZone: "Africa/Cairo",
        value: { kind: "amount", amount: 25_000, currency: "EGP" },
        texts: arabicTexts,
        pageName: "ساونا الميناء",
      }),
    },
    "mail-key": {
      width: 600,
      mail: aKey({ brand: harbour, locale: "de-DE", timeZone: "Europe/Berlin", pageName: "Bootshaus, Nordtor" }),
    },
    "mail-key-dark": {
      width: 390,
      isDark: true,
      mail: aKey({ brand: harbour, ...nordic, pageName: "Båthuset, nordporten" }),
    },
    "mail-key-plain": {
      width: 390,
      mail: aKey({
        brand: brands.roastery,
        locale: "fi-FI",
        timeZone: "Europe/Helsinki",
        pageName: "Paahtimon takaovi",
      }),
    },
  };
}

/** Takes each picture in full; `take` gets its name and its PNG. */
export async function takeMails(browser: Browser, take: (name: string, png: Buffer) => Promise<void>): Promise<void> {
  const letters = await lettersOfPhones();
  for (const [name, { mail, width, isDark = false }] of Object.entries(scenes(await drawnLogo(browser, letters)))) {
    const page = await browser.newPage({
      viewport: { width, height: 600 },
      deviceScaleFactor: 1.5,
      colorScheme: isDark ? "dark" : "light",
    });
    await page.setContent((await shownHtml(mail)).replace("</head>", `${letters}</head>`));
    await page.evaluate("document.fonts.ready");
    await take(`${name}.png`, await page.screenshot({ fullPage: true }));
    await page.close();
  }
}

/** The live page's font instead of the fonts of a phone, which the machine that takes the pictures lacks. */
async function lettersOfPhones(): Promise<string> {
  const url = import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
  const font = (await readFile(new URL(url))).toString("base64");
  return `<style>@font-face { font-family: "Segoe UI"; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }</style>`;
}

/** A merchant's logo as a PNG with a transparent background: a sun that sets over water, and a name. */
async function drawnLogo(browser: Browser, letters: string): Promise<MailLogo> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  await page.setContent(`${letters}<style>html { background: transparent } body { margin: 0 }</style>
    <div style="display:inline-flex;align-items:center;gap:14px;font:700 26px 'Segoe UI';letter-spacing:-0.02em;color:#102a43">
      <svg width="52" height="52" viewBox="0 0 52 52"><circle cx="26" cy="26" r="26" fill="#102a43"/>
      <path d="M12 29a14 14 0 0 1 28 0z" fill="#f2b632"/>
      <path d="M9 34q4.2-3.4 8.5 0t8.5 0 8.5 0 8.5 0M14 40q3-2.6 6 0t6 0 6 0 6 0" fill="none" stroke="#fff" stroke-width="2.4"/></svg>
      <span>Harbour<br>Sauna</span></div>`);
  await page.evaluate("document.fonts.ready");
  const png = await page.locator("div").screenshot({ omitBackground: true });
  await page.close();
  return { png: png.toString("base64"), width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
