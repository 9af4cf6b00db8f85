import { createTransport } from "nodemailer";
import type { Mails, TokenMail } from "../ports/mails.ts";
import { failureOf } from "./failure-of.ts";
import { oneLine } from "./formats.ts";
import { picturesOf, writeTokenMail } from "./token-mail.ts";

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps:`. */
  readonly url: string;
  /** The sender of the mails: an address, or `Name <address>`. */
  readonly from: string;
}

/** Time-out of one mail: a worker ends well before its message's lock does. */
export const SEND_WITHIN_MS = 20_000;
const SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 3 * 3_600, 8 * 3_600, 24 * 3_600];

/** Mails over SMTP. A connection to another machine is encrypted, or is not made. */
export function smtpMails({ url, from }: SmtpSettings): Mails {
  const { hostname } = new URL(url);
  const transport = createTransport({
    url,
    requireTLS: !["127.0.0.1", "localhost", "[::1]"].includes(hostname),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const { subject, text, html } = writeTokenMail(mail);
      try {
        await transport.sendMail({
          messageId: `<${mail.id}@${domainOf(from)}>`,
          from: senderOf(from, mail),
          to: { name: "", address: mail.to },
          subject,
          text,
          html,
          headers: { "Auto-Submitted": "auto-generated" }, // suppresses automatic replies
          attachments: (await picturesOf(mail)).map(({ cid, filename, png }) => ({
            cid,
            filename,
            content: Buffer.from(png),
            contentDisposition: "inline", // stands in the mail, and is not listed below it
          })),
          signal: AbortSignal.timeout(SEND_WITHIN_MS),
        });
        return { kind: "sent" };
      } catch (error) {
        return failureOf(error);
      }
    },
    nextAttemptAfter: (attempt) => SCHEDULE_SECONDS[attempt - 1],
  };
}

/** The brand's name for the sender beside the address of the settings. */
function senderOf(from: string, { brand }: TokenMail): string | { readonly name: string; readonly address: string } {
  const name = brand?.senderName;
  return name === undefined ? from : { name: oneLine(name), address: addressOf(from) };
}

const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
const domainOf = (from: string): string => /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
