import type { CaughtMail } from "../stack/mail-sink/sink.ts";
import type { MailDetail } from "./views/mails.ts";

/** A mail as the page shows it, and its HTML for a sandboxed frame. */
export interface ReadMail {
  readonly detail: MailDetail;
  readonly html: string;
}

/** The types of pictures that a browser shows without running code. Other pictures are left out. */
const picture = /^image\/(?:png|jpeg|gif|webp)$/;

/** A caught mail. In its HTML, `data:` addresses replace the content identifiers of pictures. */
export function readMail(mail: CaughtMail): ReadMail {
  const { id, at, address, subject, text, headers, html, attachments } = mail;
  const pictures = attachments
    .filter(({ contentType }) => picture.test(contentType))
    .map(({ filename, contentType, base64, contentId }) => ({
      name: filename,
      contentId,
      url: `data:${contentType};base64,${base64}`,
    }));
  const urls = new Map(pictures.map(({ contentId, url }) => [contentId, url]));
  return {
    detail: {
      id,
      at,
      address,
      from: headers["from"] ?? "",
      subject,
      text,
      headers: Object.entries(headers),
      pictures: pictures.map(({ name, url }) => ({ name, url })),
    },
    html: html.replaceAll(/\bcid:([^"'\s>)]+)/g, (whole, cid: string) => urls.get(cid) ?? whole),
  };
}
