import type { TokenKind } from "../domain/access-token-template.ts";
import type { MailTextName, MailTexts } from "../domain/mail-brand.ts";
import { danish } from "./words/da.ts";
import { german } from "./words/de.ts";
import { english } from "./words/en.ts";
import { finnish } from "./words/fi.ts";
import { norwegian } from "./words/nb.ts";
import { swedish } from "./words/sv.ts";
import type { OperatorsOwn, Shipped, Words } from "./words/words.ts";

/** By the language's subtag of BCP 47. */
const shipped: Readonly<Record<string, Words>> = {
  en: english,
  sv: swedish,
  nb: norwegian,
  da: danish,
  fi: finnish,
  de: german,
};
/** Norwegian as such, and Nynorsk, whose readers read Bokmål rather than English. */
const near: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

/** The texts of a mail, and the BCP 47 tag of the language that they are in. */
export interface TextsOfMail {
  readonly lang: string;
  readonly texts: Omit<Shipped, "value"> & Pick<MailTexts, OperatorsOwn | "value">;
}

/**
 * The texts for a kind of token in the locale's language, each replaced by the operator's own. A language that the platform has no texts in
 * gets English ones; a mail is in that language as soon as the operator wrote most of them.
 */
export function textsFor(locale: string, kind: TokenKind, own: MailTexts = {}): TextsOfMail {
  const words = shipped[languageOf(locale)] ?? english;
  const platforms = { ...words.both, ...words[kind] };
  const given = Object.fromEntries(Object.entries(own).filter(([, text]) => text !== undefined)) as MailTexts;
  const isForeign = textsMissing(locale, kind, given).length > Object.keys(platforms).length / 2;
  return { lang: isForeign ? "en" : locale, texts: { ...platforms, ...given } as TextsOfMail["texts"] };
}

/** The texts that the operator must write, so that a mail has none of another language; empty where the platform has the language. */
export function textsMissing(locale: string, kind: TokenKind, own: MailTexts = {}): readonly MailTextName[] {
  if (languageOf(locale) in shipped) return [];
  const names = Object.keys({ ...english.both, ...english[kind] }) as MailTextName[];
  return names.filter((name) => own[name] === undefined);
}

/** The tags of the languages that the platform has texts in. */
export const shippedLanguages: readonly string[] = Object.keys(shipped);

function languageOf(locale: string): string {
  const { language } = new Intl.Locale(locale);
  return near[language] ?? language;
}
