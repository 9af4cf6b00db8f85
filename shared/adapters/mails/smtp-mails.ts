import type { Mails } from "../../ports/mails.ts";
import type { SmtpSettings } from "./smtp-sender.ts";

/** Time-out of one mail. It ends well before the lock of the worker's message does. */
export const SEND_WITHIN_MS = 20_000;
const SCHEDULE_SECONDS = [5, 30, 120, 600, 3_600, 3 * 3_600, 8 * 3_600, 24 * 3_600];

/** Sends mails over SMTP. A connection to another machine must be encrypted. The first mail loads the client, texts and pictures. */
export function smtpMails(settings: SmtpSettings): Mails {
  let send: Mails["send"] | undefined;
  return {
    async send(mail) {
      send ??= (await import("./smtp-sender.ts")).smtpSender({ ...settings, withinMs: SEND_WITHIN_MS });
      return send(mail);
    },
    nextAttemptAfter: (attempt) => SCHEDULE_SECONDS[attempt - 1],
  };
}
