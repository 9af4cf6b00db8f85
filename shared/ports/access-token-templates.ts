import type { AccessTokenTemplate } from "../domain/access-token-template.ts";
import type { MailTrouble } from "../domain/mail-trouble.ts";

export interface StoredTrouble {
  readonly trouble: MailTrouble;
  readonly etag: string;
}

export interface AccessTokenTemplates {
  find(templateId: string): Promise<AccessTokenTemplate | undefined>;
  /** Every template, for the operator. */
  list(): Promise<AccessTokenTemplate[]>;
  /** A template never changes. Throws `Conflict` when a template with this identifier exists. */
  add(template: AccessTokenTemplate): Promise<void>;
  /** How its mails fared lately; undefined where none ever failed. */
  findTrouble(templateId: string): Promise<StoredTrouble | undefined>;
  /** Throws `Conflict` when it changed since it was read. */
  saveTrouble(trouble: MailTrouble, read: StoredTrouble | undefined): Promise<void>;
}
