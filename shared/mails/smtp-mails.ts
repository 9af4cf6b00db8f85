import { createTransport } from "nodemailer";
import type { Mails } from "../ports/mails.ts";
import { failureOf } from "./failure-of.ts";
import { inlinePictures, writtenMessage } from "./message.ts";

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps:`. */
  readonly url: string;
  /** The sender of the mails: an address, or `Name <address>`. */
  readonly from: string;
}

/** Time-out of one mail. It ends well before the lock of the worker's message does. */
export const SEND_WITHIN_MS = 20_000;
const SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 3 * 3_600, 8 * 3_600, 24 * 3_600];

/** Sends mails over SMTP. A connection to another machine must be encrypted. */
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
      const message = writtenMessage(mail, from);
      try {
        const attachments = await inlinePictures(mail);
        await transport.sendMail({ ...message, attachments, signal: AbortSignal.timeout(SEND_WITHIN_MS) });
        return { kind: "sent" };
      } catch (error) {
        return failureOf(error);
      }
    },
    nextAttemptAfter: (attempt) => SCHEDULE_SECONDS[attempt - 1],
  };
}
