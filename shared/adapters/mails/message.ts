import type { TokenMail } from "../../ports/mails.ts";
import { oneLine } from "./formats.ts";
import { picturesOf, writeTokenMail } from "./token-mail.ts";

/** A mail's headers and words, as nodemailer takes them. `from` is an address, or `Name <address>`. */
export const writtenMessage = (mail: TokenMail, from: string) => ({
  messageId: `<${mail.id}@${domainOf(from)}>`,
  from: senderOf(from, mail),
  to: { name: "", address: mail.to },
  ...writeTokenMail(mail),
  headers: { "Auto-Submitted": "auto-generated" }, // suppresses automatic replies
});

/** The mail's pictures. They are shown in the mail, and are not listed below it. */
export const inlinePictures = async (mail: TokenMail) =>
  (await picturesOf(mail)).map(({ cid, filename, png }) => ({
    cid,
    filename,
    content: Buffer.from(png),
    contentDisposition: "inline" as const,
  }));

/** The sender: the brand's name, if it has one, with the address of the settings. */
function senderOf(from: string, { brand }: TokenMail): string | { readonly name: string; readonly address: string } {
  const name = brand?.senderName;
  return name === undefined ? from : { name: oneLine(name), address: addressOf(from) };
}

const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
const domainOf = (from: string): string => /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
