import { createTransport } from "nodemailer";
import type { Mails } from "../../ports/mails.ts";
import { failureOf } from "./failure-of.ts";
import { inlinePictures, writtenMessage } from "./message.ts";

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps:`. */
  readonly url: string;
  /** The sender of the mails: an address, or `Name <address>`. */
  readonly from: string;
}

/** Sends mails with nodemailer, each within a time-out. */
export function smtpSender({ url, from, withinMs }: SmtpSettings & { readonly withinMs: number }): Mails["send"] {
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
  return async (mail) => {
    const message = { ...writtenMessage(mail, from), attachments: await inlinePictures(mail) };
    try {
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(withinMs) });
      return { kind: "sent" };
    } catch (error) {
      return failureOf(error);
    }
  };
}
