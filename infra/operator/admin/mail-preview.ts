import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AccessTokenTemplate, TokenKind, TokenValue } from "../../../shared/domain/access-token-template.ts";
import { tokenKinds } from "../../../shared/domain/access-token-template.ts";
import { ownTextsFor, type TemplateLook } from "../../../shared/domain/template-look.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";
import { shippedLanguages, textsMissing } from "../../../shared/adapters/mails/texts.ts";
import { picturesOf, writeTokenMail } from "../../../shared/adapters/mails/token-mail.ts";
import type { TokenMail } from "../../../shared/ports/mails.ts";

/** A code in the correct form that no token has. */
const CODE = "7KQ2-9XHD-M3PC-W81*";
const VALUE: TokenValue = { kind: "amount", amount: 5_000, currency: "SEK" };
/** The width of a phone in CSS pixels. */
const WIDTH = 390;
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** One written mail, and the texts that its locale lacks. */
export interface Previewed {
  readonly locale: string;
  readonly kind: TokenKind;
  readonly files: readonly string[];
  readonly missing: readonly string[];
}

/** Whether a browser for pictures exists: Chromium, or the program that `CHROMIUM` names. */
export const canTakePictures = (): boolean => existsSync(executablePath);
export const noPictures = `No pictures are written: there is no Chromium at ${executablePath}. Set CHROMIUM to its path.`;

/** The locales to preview: the platform's languages, the template's own locale, and those of its own texts. */
export const previewLocales = (
  { locale }: AccessTokenTemplate,
  { texts = {} }: Pick<TemplateLook, "texts">,
): string[] => [...new Set([...shippedLanguages, locale, ...Object.keys(texts)])].toSorted();

/**
 * Writes a voucher's and a key's mail in each locale, as HTML and text, and as a picture if a browser is installed. The HTML contains its
 * pictures. It overwrites files of an earlier preview.
 */
export async function writePreview(
  template: AccessTokenTemplate,
  look: Pick<TemplateLook, "brand" | "texts">,
  { folder, now }: { readonly folder: string; readonly now: Instant },
): Promise<Previewed[]> {
  await mkdir(folder, { recursive: true });
  const takePicture = canTakePictures() ? await startPictures() : undefined;
  const written: Previewed[] = [];
  try {
    for (const locale of previewLocales(template, look))
      for (const kind of tokenKinds) {
        const mail = sampleMail(template, look, { locale, kind, now });
        const name = `${locale}-${kind}`;
        const { subject, text } = writeTokenMail(mail);
        await writeFile(join(folder, `${name}.html`), await standaloneHtml(mail));
        await writeFile(join(folder, `${name}.txt`), `${subject}\n\n${text}`);
        await takePicture?.take(join(folder, name));
        const files = [`${name}.html`, `${name}.txt`, ...(takePicture ? [`${name}.png`] : [])];
        written.push({ locale, kind, files, missing: textsMissing(locale, kind, mail.texts) });
      }
  } finally {
    await takePicture?.end();
  }
  return written;
}

function sampleMail(
  { name, value, validSeconds, timeZone, kind: ownKind }: AccessTokenTemplate,
  look: Pick<TemplateLook, "brand" | "texts">,
  { locale, kind, now }: { readonly locale: string; readonly kind: TokenKind; readonly now: Instant },
): TokenMail {
  const worth = ownKind === "voucher" ? value : VALUE;
  return {
    id: "preview",
    to: "customer@example.com",
    pageName: name,
    kind,
    value: kind === "voucher" ? worth : undefined,
    code: CODE,
    validUntil: after(now, validSeconds),
    locale,
    timeZone,
    brand: look.brand,
    texts: ownTextsFor(look, locale),
  };
}

/** The mail's HTML with its pictures embedded. A sent mail attaches them. */
async function standaloneHtml(mail: TokenMail): Promise<string> {
  let { html } = writeTokenMail(mail);
  for (const { cid, png } of await picturesOf(mail))
    html = html.replaceAll(`cid:${cid}`, `data:image/png;base64,${Buffer.from(png).toString("base64")}`);
  return html;
}

async function startPictures() {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 800 }, deviceScaleFactor: 2 });
  return {
    /** Takes a picture of the HTML file with this name. */
    async take(path: string): Promise<void> {
      await page.goto(pathToFileURL(`${path}.html`).href);
      await page.screenshot({ path: `${path}.png`, fullPage: true });
    },
    end: () => browser.close(),
  };
}
