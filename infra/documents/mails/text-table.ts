import { longTexts, mailTextLimits, type MailTextName } from "../../../shared/domain/mail-brand.ts";
import { textsFor } from "../../../shared/adapters/mails/texts.ts";

/** One line for each text that an operator can write, with its limits and the platform's English text. */
export function mailTextTable(): string {
  const [voucher, key] = [textsFor("en", "voucher").texts, textsFor("en", "key").texts];
  const said = (name: MailTextName): string => {
    const texts = [...new Set([voucher[name], key[name]])].filter((text) => text !== undefined);
    return texts.length === 0 ? "*nothing*" : texts.join(" / ");
  };
  const rows = (Object.keys(mailTextLimits) as MailTextName[]).map(
    (name) =>
      `| \`${name}\` | ${mailTextLimits[name].toLocaleString("en")} | ${longTexts.has(name) ? "several" : "one"} | ${said(name)} |`,
  );
  return ["| text | characters | lines | in English, for a voucher / a key |", "|---|---|---|---|", ...rows].join("\n");
}
