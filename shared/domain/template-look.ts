import * as z from "zod";
import { mailBrandRecord, mailTextLimits, type MailBrand, type MailTextName, type MailTexts } from "./mail-brand.ts";
import type { RecordOf } from "./record.ts";
import { uncheckedInstant } from "./time.ts";

/** Stored without the limits on what an operator may write. A mail must not fail if a later release has narrower limits. */
const storedTextsRecord = z.object(
  Object.fromEntries(
    (Object.keys(mailTextLimits) as MailTextName[]).map((name) => [name, z.string().optional()]),
  ) as Record<MailTextName, z.ZodOptional<z.ZodString>>,
);
const storedBrandRecord = z.object({
  name: z.string(),
  colour: z.string(),
  /** Base64, and pixels. */
  logo: z.object({ png: z.string(), width: z.int(), height: z.int() }).optional(),
  senderName: z.string().optional(),
});

/**
 * The look and the texts of a template's mails. They do not affect a token's worth, so unlike the template they may be changed at any time.
 */
export const templateLookRecord = z.object({
  templateId: z.string(),
  /** If absent, the platform's own look is used. */
  brand: storedBrandRecord.optional(),
  /** The operator's own texts, by the locale as `Intl` writes it. */
  texts: z.record(z.string(), storedTextsRecord).optional(),
  updatedAt: uncheckedInstant,
});
export interface TemplateLook extends RecordOf<typeof templateLookRecord> {}

/** Bounds the row. With every text at its limit, it takes three quarters of what a row holds. */
export const MAX_LOCALES = 20;

/** An operator's change of a look. An absent member stays, and a member that is `null` is removed. */
export interface LookChange {
  readonly brand?: { readonly [Name in keyof MailBrand]?: MailBrand[Name] | null } | null;
  /** By locale. Each replaces all texts of that locale. */
  readonly texts?: Readonly<Record<string, MailTexts | null>> | null;
}

/** The brand and the texts after the change. If they are not allowed, returns one sentence that tells the operator why. */
export function changedLook(
  { brand, texts }: Pick<TemplateLook, "brand" | "texts">,
  change: LookChange,
): Pick<TemplateLook, "brand" | "texts"> | { readonly why: string } {
  const given = withoutNull({ ...(change.texts === null ? {} : texts), ...change.texts });
  const locales = Object.keys(given).length;
  if (locales > MAX_LOCALES) return { why: `A template can have texts in at most ${MAX_LOCALES} locales.` };
  const checked = change.brand === null ? {} : checkedBrand(withoutNull({ ...brand, ...change.brand }));
  return "why" in checked ? checked : { ...checked, ...(locales > 0 && { texts: given }) };
}

function checkedBrand(wanted: Partial<MailBrand>): { readonly brand?: MailBrand } | { readonly why: string } {
  if (Object.keys(wanted).length === 0) return {};
  if (wanted.name === undefined || wanted.colour === undefined)
    return { why: "A brand must have a name and a colour." };
  const { success, data: brand, error } = mailBrandRecord.safeParse(wanted);
  if (success) return { brand };
  const { path = [], message = "is wrong" } = error.issues[0] ?? {};
  return { why: `The brand's ${path.join(".")} ${message}.` };
}

const withoutNull = <Value>(of: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(of).filter((pair): pair is [string, Value] => pair[1] != null));

/** The operator's texts for a locale: those of its language, each replaced by the locale's own. Undefined if there are none. */
export function ownTextsFor({ texts = {} }: Pick<TemplateLook, "texts">, locale: string): MailTexts | undefined {
  const { baseName, language } = new Intl.Locale(locale);
  const found = { ...texts[language], ...texts[baseName] };
  return Object.keys(found).length > 0 ? found : undefined;
}
