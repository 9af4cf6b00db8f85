import type { TokenKind } from "../../domain/access-token-template.ts";
import type { MailTextName, MailTexts } from "../../domain/mail-brand.ts";
import { danish } from "./words/da.ts";
import { german } from "./words/de.ts";
import { english } from "./words/en.ts";
import { finnish } from "./words/fi.ts";
import { norwegian } from "./words/nb.ts";
import { swedish } from "./words/sv.ts";
import type { OperatorsOwn, Shipped, Words } from "./words/words.ts";

/** The platform's texts, by the language's BCP 47 subtag. */
const shipped: Readonly<Record<string, Words>> = {
  en: english,
  sv: swedish,
  nb: norwegian,
  da: danish,
  fi: finnish,
  de: german,
};
/** Plain `no`, and Nynorsk, whose readers read Bokmål rather than English. */
const near: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

/** The texts of a mail, and the BCP 47 tag of their language. */
export interface TextsOfMail {
  readonly lang: string;
  readonly texts: Omit<Shipped, "value"> & Pick<MailTexts, OperatorsOwn | "value">;
}

/**
 * The texts for a kind of token in the locale's language. The operator's own texts replace the platform's. If the platform has no texts in
 * that language, the English ones are used. The mail's language is then still the locale's if the operator wrote at least half of the
 * texts.
 */
export function textsFor(locale: string, kind: TokenKind, own: MailTexts = {}): TextsOfMail {
  const words = shipped[languageOf(locale)] ?? english;
  const platforms = { ...words.both, ...words[kind] };
  const given = Object.fromEntries(Object.entries(own).filter(([, text]) => text !== undefined)) as MailTexts;
  const isForeign = textsMissing(locale, kind, given).length > Object.keys(platforms).length / 2;
  return { lang: isForeign ? "en" : locale, texts: { ...platforms, ...given } as TextsOfMail["texts"] };
}

/**
 * The texts that the operator must still write, so that the whole mail is in the locale's language. Empty if the platform has that
 * language.
 */
export function textsMissing(locale: string, kind: TokenKind, own: MailTexts = {}): readonly MailTextName[] {
  if (languageOf(locale) in shipped) return [];
  const names = Object.keys({ ...english.both, ...english[kind] }) as MailTextName[];
  return names.filter((name) => own[name] === undefined);
}

/** The languages in which the platform has texts, by their tags. */
export const shippedLanguages: readonly string[] = Object.keys(shipped);

function languageOf(locale: string): string {
  const { language } = new Intl.Locale(locale);
  return near[language] ?? language;
}
