import { directionOf } from "./formats.ts";
import type { SaidInMail } from "./said.ts";

/** The plain-text part of the mail. It says the same as the HTML, in the same order. The code is alone on an indented line. */
export function plainText({ texts, lang, brand, page, code, worth, from, until }: SaidInMail): string {
  const own = isolatedIn(lang);
  const worthLines = worth === undefined ? [] : [[own(worth), texts.value].filter(Boolean).join("\n")];
  return [
    ...(brand === undefined ? [] : [brand]),
    underlined(texts.headline, "="),
    ...worthLines,
    `${texts.subject}: ${own(page)}`,
    `${texts.code}:\n\n    ${code}`,
    ...(from === undefined ? [] : [`${texts.validFrom}: ${own(from)}`]),
    `${texts.validUntil}: ${own(until)}`,
    ...section(texts.howToUseTitle, texts.howToUse),
    ...section(texts.whereTitle, texts.where),
    ...section(texts.helpTitle, texts.help),
    ...section(texts.termsTitle, texts.terms),
    ...section(texts.notRequestedTitle, texts.notRequested),
    "",
  ].join("\n\n");
}

const section = (title: string, text: string | undefined): string[] =>
  text === undefined ? [] : [`${underlined(title, "-")}\n${text}`];

const underlined = (title: string, line: string): string => `${title}\n${line.repeat(Array.from(title).length)}`;

/** In a right-to-left text, names and amounts of the other direction keep their own order. */
const isolatedIn = (lang: string): ((text: string) => string) =>
  directionOf(lang) === "rtl" ? (text) => `\u2068${text}\u2069` : (text) => text;
