import type { AccessTokenTemplate } from "../domain/access-token-template.ts";
import type { MailTrouble } from "../domain/mail-trouble.ts";
import type { TemplateLook } from "../domain/template-look.ts";

export interface StoredLook {
  readonly look: TemplateLook;
  readonly etag: string;
}

export interface StoredTrouble {
  readonly trouble: MailTrouble;
  readonly etag: string;
}

export interface AccessTokenTemplates {
  find(templateId: string): Promise<AccessTokenTemplate | undefined>;
  /** Every template, for the operator. */
  list(): Promise<AccessTokenTemplate[]>;
  /** What its tokens are worth never changes. Throws `Conflict` when a template with this identifier exists. */
  add(template: AccessTokenTemplate): Promise<void>;
  /** How its mails look; undefined where it has the platform's own look and texts. */
  findLook(templateId: string): Promise<StoredLook | undefined>;
  /** Throws `Conflict` when it changed since it was read. */
  saveLook(look: TemplateLook, read: StoredLook | undefined): Promise<void>;
  /** How its mails fared lately; undefined where none ever failed. */
  findTrouble(templateId: string): Promise<StoredTrouble | undefined>;
  /** Throws `Conflict` when it changed since it was read. */
  saveTrouble(trouble: MailTrouble, read: StoredTrouble | undefined): Promise<void>;
}
