import { toBuffer } from "qrcode";
import { inkOn, type MailLogo } from "../../domain/mail-brand.ts";
import type { TokenMail } from "../../ports/mails.ts";
import { inTwoLines, fill } from "./fill.ts";
import { directionOf, oneLine } from "./formats.ts";
import { tokenMailHtml } from "./generated/token-mail-html.ts";
import { plainText } from "./plain-text.ts";
import { saidIn, type SaidInMail } from "./said.ts";

const QR_CID = "code@qr";
const LOGO_CID = "logo@brand";
/** The colour of a mail without a brand: a dark green. */
const OWN_COLOUR = "#1c4a3d";
/** The largest size of a logo, in CSS pixels. */
const LOGO_ROOM = { width: 200, height: 64 };
/**
 * The width of a line in the card on a phone of 320 pixels, in CSS pixels. Then the width of a bold digit in a wide font, as a share of the
 * font size.
 */
const PHONE_LINE = 240;
const DIGIT_WIDTH = 0.7;
/**
 * Pixels of the QR picture for each of its modules. It is shown at half its size, so that it is sharp on screens with two pixels for each
 * CSS pixel.
 */
const QR_SCALE = 16;
/** The light margin that ISO/IEC 18004 requires. */
const QUIET_MODULES = 4;

/** A picture that the mail's HTML shows as `cid:…`. */
export interface MailPicture {
  readonly cid: string;
  readonly filename: string;
  readonly png: Uint8Array;
}

export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Writes a token's mail in the language of its template, with money and dates in its locale and time zone. Throws for an unknown locale or
 * zone.
 */
export function writeTokenMail(mail: TokenMail): WrittenMail {
  const said = saidIn(mail);
  const subject = oneLine(`${said.texts.headline}: ${said.page}`);
  return { subject, text: plainText(said), html: htmlOf(mail, said, subject) };
}

/**
 * The pictures that the mail's HTML shows: the code as a QR picture, and the brand's logo. Rejects if a QR picture cannot hold the code.
 */
export async function picturesOf({ code, brand }: TokenMail): Promise<readonly MailPicture[]> {
  const png = await toBuffer(code, { scale: QR_SCALE, errorCorrectionLevel: "Q", margin: QUIET_MODULES });
  const logo = brand?.logo;
  return [
    { cid: QR_CID, filename: "code.png", png },
    ...(logo ? [{ cid: LOGO_CID, filename: "logo.png", png: Buffer.from(logo.png, "base64") }] : []),
  ];
}

function htmlOf(mail: TokenMail, said: SaidInMail, subject: string): string {
  const { texts, worth, page, until, lang } = said;
  const direction = directionOf(lang);
  const colour = colourOf(mail);
  return fill(tokenMailHtml, {
    ...texts,
    value: texts.value ?? "",
    ...headOf(mail, said),
    lang,
    dir: direction,
    start: direction === "rtl" ? "right" : "left",
    locale: mail.locale,
    title: subject,
    preview: [worth, page, `${texts.validUntil}: ${until}`].filter((part) => part !== undefined).join(" · "),
    colour,
    ink: inkOn(colour),
    isKey: mail.kind === "key" ? "" : undefined,
    isTicket: mail.kind === "voucher" ? "" : undefined,
    worth,
    worthSize: worth && sizeOf(worth),
    page,
    pageSize: worth === undefined ? "30px" : "20px",
    qrCid: QR_CID,
    qrAlt: `${texts.qr}: ${said.code}`,
    groups: inTwoLines(said.code),
    from: said.from,
    until,
  });
}

/** The brand above the card: its logo, or its name if it has no logo. */
function headOf({ brand }: TokenMail, said: SaidInMail) {
  const logo = brand?.logo;
  return {
    brand: said.brand,
    logo: logo && "",
    name: logo ? undefined : said.brand,
    logoCid: LOGO_CID,
    ...(logo && sizeOfLogo(logo)),
  };
}

/** Shrinks a logo to `LOGO_ROOM`. It never enlarges one. */
function sizeOfLogo({ width, height }: MailLogo) {
  const scale = Math.min(1, LOGO_ROOM.width / width, LOGO_ROOM.height / height);
  return { logoWidth: String(Math.ceil(width * scale)), logoHeight: String(Math.ceil(height * scale)) };
}

/** The font size of a value. The value must fit on one line of a phone of 320 pixels, also in fonts with wide digits. */
function sizeOf(worth: string): string {
  const widest = Math.floor(PHONE_LINE / (Array.from(worth).length * DIGIT_WIDTH));
  return `${Math.min(60, Math.max(20, widest))}px`;
}

/** The brand's colour. It is written into a style, so only a valid colour is used. */
function colourOf({ brand }: TokenMail): string {
  const colour = brand?.colour ?? OWN_COLOUR;
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : OWN_COLOUR;
}
