import { openJournal } from "../../../local-azure/common/journal.ts";
import { MAX_MAILS, type CaughtMail } from "./sink.ts";

/**
 * The mails of a file, oldest first, and a function that adds a mail. Of more mails than the sink shows, the file keeps only the newest.
 */
export function keptMails(file: string): { readonly mails: CaughtMail[]; readonly keep: (mail: CaughtMail) => void } {
  const all: CaughtMail[] = [];
  const journal = openJournal(file, (line) => all.push(line as CaughtMail)); // no other code writes this file
  const mails = all.slice(-MAX_MAILS);
  if (mails.length < all.length) journal.replace(mails);
  return { mails, keep: journal.add };
}
