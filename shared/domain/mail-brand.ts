import * as z from "zod";
import type { RecordOf } from "./record.ts";

// An operator's choices for the mails of a template: the brand that they carry, and texts that replace the platform's own.

/** The most characters of each text of a mail, counted as code points. A text that may have several lines is in `longTexts`. */
export const mailTextLimits = {
  /** The heading, which also begins the subject: "Your voucher". */
  headline: 60,
  /** Stands next to the value: "Off your payment". */
  value: 60,
  /** Stands next to the name of what the key opens, or of what a voucher without a value is for: "This key opens". */
  subject: 60,
  /** The labels of the card's lines. */
  code: 30,
  qr: 30,
  validFrom: 30,
  validUntil: 30,
  /** The headings of the texts below the card. */
  howToUseTitle: 60,
  whereTitle: 60,
  termsTitle: 60,
  helpTitle: 60,
  notRequestedTitle: 60,
  /** The texts below the card. A mail leaves out `where`, `terms` or `help` if the operator wrote no such text. */
  howToUse: 600,
  where: 400,
  terms: 2_000,
  help: 400,
  notRequested: 400,
} as const;
export type MailTextName = keyof typeof mailTextLimits;

/** The texts that may have several lines. */
export const longTexts: ReadonlySet<MailTextName> = new Set([
  "howToUse",
  "where",
  "terms",
  "help",
  "notRequested",
] as const);

const MAX_NAME = 40;
/** The largest logo: bytes of its PNG, and pixels of either side. */
export const MAX_LOGO_BYTES = 30 * 1_024;
export const MAX_LOGO_SIDE = 2_000;

/** A text that shows exactly what it is. Control characters, line separators, lone surrogates and direction overrides are refused. */
const shownText = (most: number, forbidden: RegExp) =>
  z
    .string()
    .trim()
    .min(1)
    .refine((text) => Array.from(text).length <= most, `has more than ${most} characters`)
    .refine((text) => text.isWellFormed() && !forbidden.test(text), "has a character that cannot be shown");
const lineOf = (most: number) => shownText(most, /[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
const linesOf = (most: number) => shownText(most, /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e]/u);

const textOf = (name: MailTextName) =>
  (longTexts.has(name) ? linesOf(mailTextLimits[name]) : lineOf(mailTextLimits[name])).optional();

/** The operator's own texts for one locale. If a text is absent, the platform's is used. */
export const mailTextsRecord = z.object(
  Object.fromEntries((Object.keys(mailTextLimits) as MailTextName[]).map((name) => [name, textOf(name)])) as Record<
    MailTextName,
    ReturnType<typeof textOf>
  >,
);
export interface MailTexts extends RecordOf<typeof mailTextsRecord> {}

/** A PNG, as base64, with its size in pixels. */
export const mailLogoRecord = z.object({
  png: z
    .base64()
    .startsWith("iVBORw0KGgo", "is not a PNG") // the eight bytes with which every PNG begins
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4),
  width: z.int().min(1).max(MAX_LOGO_SIDE),
  height: z.int().min(1).max(MAX_LOGO_SIDE),
});

export interface MailLogo extends RecordOf<typeof mailLogoRecord> {}

/** The brand of a mail: its name and its look. */
export const mailBrandRecord = z.object({
  name: lineOf(MAX_NAME),
  /** The one colour of the card, `#rrggbb`. */
  colour: z.string().regex(/^#[0-9a-f]{6}$/i),
  logo: mailLogoRecord.optional(),
  /** The name next to the sender's address. If absent, the name from the settings is used. */
  senderName: lineOf(MAX_NAME).optional(),
});
export interface MailBrand extends RecordOf<typeof mailBrandRecord> {}

/** The contrast that WCAG 2.2 requires between a text and its background (1.4.3). */
const LEAST_CONTRAST = 4.5;

/** The colour of letters on a background of `#rrggbb`: white if it can be read, otherwise black. Both reach a contrast of 4.5. */
export const inkOn = (colour: string): "#ffffff" | "#000000" =>
  contrast(colour, "#ffffff") >= LEAST_CONTRAST ? "#ffffff" : "#000000";

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
