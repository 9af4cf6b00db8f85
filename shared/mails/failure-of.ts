import type { MailReply } from "../ports/mails.ts";

/** What nodemailer says of a mail that did not go. */
interface SmtpError {
  readonly code?: string;
  /** The server's reply code; absent where it sent none. */
  readonly responseCode?: number;
  /** The command that it replied to. */
  readonly command?: string;
  /** Its whole reply. It may hold the address. */
  readonly response?: string;
}

const loginCodes: ReadonlySet<string | undefined> = new Set(["EAUTH", "ENOAUTH", "EOAUTH2"]);
/** Replies by which a server wants credentials, or other ones (RFC 4954). */
const loginReplies: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** The enhanced status codes (RFC 3463) of an address, and of the sender or the mail. */
const ofAddress = /^5\d\d[ -]5\.(1\.(?![78]\b)|2\.(?!3\b))/;
const ofMail = /^5\d\d[ -]5\.(1\.[78]\b|2\.3\b|3\.4\b|6\.|7\.)/;

/** Why a mail did not go. A server's own text may hold the address, so only its codes are passed on. */
export function failureOf(error: unknown): MailReply {
  const failure = Object(error) as SmtpError;
  const { code, responseCode = 0 } = failure;
  const reason = [code, responseCode].filter(Boolean).join(" ");
  const isTemporary = responseCode >= 400 && responseCode < 500;
  if (!isTemporary && (loginCodes.has(code) || loginReplies.has(responseCode))) {
    return { kind: "failed", reason, isLogin: true };
  }
  const isRefused = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode >= 500;
  if (!isRefused) return { kind: "failed", reason };
  return { kind: isAddressRefused(failure) ? "refused" : "mailRefused", reason };
}

/** By the enhanced status code; without a telling one by the command: servers refuse an address where it is named. */
function isAddressRefused({ command, response = "" }: SmtpError): boolean {
  if (ofAddress.test(response)) return true;
  return command === "RCPT TO" && !ofMail.test(response);
}
