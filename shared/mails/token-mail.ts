import { currencyExponent } from "../domain/currency.ts";
import { fromMinorUnits } from "../domain/money.ts";
import type { TokenMail } from "../ports/mails.ts";
import { wordsFor } from "./words.ts";

/** The content identifier under which the mail's HTML shows the attached QR picture. */
export const QR_CID = "code@qr";

export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A token's mail in the language of its template, with money and dates in its locale and time zone. */
export function writeTokenMail(mail: TokenMail): WrittenMail {
  const words = wordsFor(mail.locale);
  const kind = words.kinds[mail.kind];
  const subject = words.subject(kind, mail.pageName);
  const worth = voucherValue(mail);
  const before = [words.here(kind, mail.pageName), ...(worth === undefined ? [] : [words.worth(worth)])];
  const after = [words.until(untilOf(mail)), words.notRequested];
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escaped(line)}</p>`).join("\n");
  return {
    subject,
    text: [...before, `${words.show}\n\n    ${mail.code}`, ...after, ""].join("\n\n"),
    html: `<!doctype html>
<html lang="${escaped(mail.locale)}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${paragraphs([...before, words.show])}
<p style="font-size: 1.5em; font-family: monospace; letter-spacing: 0.05em">${escaped(mail.code)}</p>
<p><img src="cid:${QR_CID}" width="240" height="240" alt="${escaped(mail.code)}"></p>
${paragraphs(after)}
</body>
</html>
`,
  };
}

function voucherValue({ value, locale }: TokenMail): string | undefined {
  if (!value) return undefined;
  if (value.kind === "percent") {
    return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(value.percent / 100);
  }
  const { amount, currency } = value;
  const whole = fromMinorUnits(amount, currency);
  const digits = Number.isInteger(whole) ? 0 : currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  }).format(whole);
}

const untilOf = ({ validUntil, locale, timeZone }: TokenMail): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(validUntil));

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => entities[c] ?? c);
