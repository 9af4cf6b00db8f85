import { isOwnMistake } from "../../ports/failures.ts";
import type { MailReply } from "../../ports/mails.ts";

/** Nodemailer's error for a mail that was not sent. */
interface SmtpError {
  readonly code?: string;
  /** The server's reply code. Absent if the server sent none. */
  readonly responseCode?: number;
  /** The command that the server replied to. */
  readonly command?: string;
  /** The server's whole reply. It may hold the address. */
  readonly response?: string;
}

const loginCodes: ReadonlySet<string | undefined> = new Set(["EAUTH", "ENOAUTH", "EOAUTH2"]);
/** Replies with which a server demands credentials, or rejects them (RFC 4954). */
const loginReplies: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** The enhanced status codes (RFC 3463) for a bad address, and for a rejected sender or mail. */
const ofAddress = /^5\d\d[ -]5\.(1\.(?![78]\b)|2\.(?!3\b))/;
const ofMail = /^5\d\d[ -]5\.(1\.[78]\b|2\.3\b|3\.4\b|6\.|7\.)/;

/**
 * Why a mail was not sent. Only the server's codes are passed on, because its own text may hold the address. Rethrows an error in the
 * platform itself.
 */
export function failureOf(error: unknown): MailReply {
  if (isOwnMistake(error)) throw error;
  const failure = Object(error) as SmtpError;
  const { code, responseCode = 0 } = failure;
  const reason = [code, responseCode].filter(Boolean).join(" ");
  if (isLoginRefused(failure)) return { kind: "failed", reason, isLogin: true };
  const isRefused = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500;
  if (!isRefused) return { kind: "failed", reason };
  return { kind: isAddressRefused(failure) ? "refused" : "mailRefused", reason };
}

function isLoginRefused({ code, responseCode = 0 }: SmtpError): boolean {
  const isTemporary = responseCode >= 400 && responseCode < 500;
  return !isTemporary && (loginCodes.has(code) || loginReplies.has(responseCode));
}

/** Decides by the enhanced status code. If that is unclear, the command decides: servers reject an address in their reply to `RCPT TO`. */
function isAddressRefused({ command, response = "" }: SmtpError): boolean {
  if (ofAddress.test(response)) return true;
  return command === "RCPT TO" && !ofMail.test(response);
}
