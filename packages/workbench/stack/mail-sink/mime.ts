import PostalMime from "postal-mime";

interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  /** The id by which the HTML shows the attachment. Undefined if it does not. */
  readonly contentId?: string;
  readonly base64: string;
}

/** A mail as its reader sees it. */
export interface ReadMail {
  readonly subject: string;
  /** By name in lower case, with folded lines joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly Attachment[];
}

/** Reads a mail from its SMTP bytes. Rejects if its parts are nested too deep or its headers are too large. */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: "base64" });
  return {
    subject: mail.subject ?? "",
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    text: mail.text ?? "",
    html: mail.html ?? "",
    attachments: mail.attachments.map(({ filename, mimeType, contentId, content }) => ({
      filename: filename ?? "",
      contentType: mimeType,
      ...(contentId !== undefined && { contentId: contentId.replace(/^<(.*)>$/, "$1") }),
      base64: content as string, // as `attachmentEncoding` demands
    })),
  };
}
