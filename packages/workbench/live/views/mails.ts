export interface MailView {
  readonly id: string;
  readonly at: number;
  readonly address: string;
  readonly from: string;
  readonly subject: string;
}

/** `GET /mails/<id>`. Its HTML is at `/mails/<id>/html`, for a sandboxed frame. */
export interface MailDetail extends MailView {
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The pictures, as `data:` addresses. */
  readonly pictures: readonly { readonly name: string; readonly url: string }[];
}
