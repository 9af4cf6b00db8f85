import type { AccessTokenTemplate } from "../domain/access-token-template.ts";
import type { Issuance, IssuanceShard } from "../domain/issuance.ts";
import type { MailTrouble } from "../domain/mail-trouble.ts";
import type { TemplateLook } from "../domain/template-look.ts";

export interface StoredLook {
  readonly look: TemplateLook;
  readonly etag: string;
}

export interface StoredIssuance {
  readonly issuance: Issuance;
  readonly etag: string;
}

export interface StoredShard {
  readonly shard: IssuanceShard;
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
  add(template: AccessTokenTemplate, issuance: Issuance): Promise<void>;
  /** The template's limits and users; undefined for an unknown template. It is never cached. */
  findIssuance(templateId: string): Promise<StoredIssuance | undefined>;
  /**
   * Replaces it, with all shards where its limits change, in one group. Throws `Conflict` when it or one of these shards changed since it was
   * read.
   */
  saveIssuance(issuance: Issuance, read: StoredIssuance, shards?: readonly StoredShard[]): Promise<void>;
  /** Throws where the template has no such shard. */
  findShard(templateId: string, shard: number): Promise<StoredShard>;
  /** The shards in their order. */
  shards(templateId: string): Promise<StoredShard[]>;
  /** Throws `Conflict` when it changed since it was read. */
  saveShard(templateId: string, shard: StoredShard): Promise<void>;
  /** How its mails look; undefined where it has the platform's own look and texts. */
  findLook(templateId: string): Promise<StoredLook | undefined>;
  /** Throws `Conflict` when it changed since it was read. */
  saveLook(look: TemplateLook, read: StoredLook | undefined): Promise<void>;
  /** How its mails fared lately; undefined where none ever failed. */
  findTrouble(templateId: string): Promise<StoredTrouble | undefined>;
  /** Throws `Conflict` when it changed since it was read. */
  saveTrouble(trouble: MailTrouble, read: StoredTrouble | undefined): Promise<void>;
}
