import type { TokenMail } from "../../ports/mails.ts";
import { oneLine, shownText, timeText, valueText } from "./formats.ts";
import { textsFor, type TextsOfMail } from "./texts.ts";

/** The content of both parts of a mail, formatted for its locale. */
export interface SaidInMail extends TextsOfMail {
  readonly brand: string | undefined;
  readonly page: string;
  readonly code: string;
  readonly worth: string | undefined;
  readonly from: string | undefined;
  readonly until: string;
}

/** The content of a mail. Throws for an unknown locale or time zone. */
export function saidIn(mail: TokenMail): SaidInMail {
  const { lang, texts } = textsFor(mail.locale, mail.kind, mail.texts);
  return {
    lang,
    texts: Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, text && shownText(text)]),
    ) as TextsOfMail["texts"],
    brand: mail.brand && oneLine(mail.brand.name),
    page: oneLine(mail.pageName),
    code: oneLine(mail.code),
    worth: mail.value && valueText(mail.value, mail.locale),
    from: mail.validFrom && timeText(mail.validFrom, mail),
    until: timeText(mail.validUntil, mail),
  };
}
