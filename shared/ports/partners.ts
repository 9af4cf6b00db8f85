import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { sealedSecretRecord } from "./signing-secrets.ts";
import { webhookHostRecord } from "../domain/webhook-host.ts";
import { day, uncheckedInstant } from "../domain/time.ts";

export const scopes = ["payments", "refunds", "terminals", "actions", "discounts"] as const;
export type Scope = (typeof scopes)[number];

export const partnerRecord = z.object({
  partnerId: z.string(),
  name: z.string(),
  /** The address for webhooks of a payment that names none itself. */
  webhookUrl: z.string().optional(),
  /** The hosts that webhooks may go to; absent or empty for any. */
  webhookHosts: z.array(webhookHostRecord).optional(),
  /** Active signing secrets, the oldest first. Each of them signs, so that a secret can be rotated while both are valid. */
  webhookSecrets: z.array(sealedSecretRecord),
  /** Since when the partner gets no new key, and its keys are marked as disabled. */
  disabledAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface Partner extends RecordOf<typeof partnerRecord> {}

/** A partner as it was read to be changed. */
export interface StoredPartner {
  readonly partner: Partner;
  readonly etag: string;
}

/** An `apikey` as it is stored: a peppered hash of the key, never the key. */
export const apiKeyRecord = z.object({
  keyId: z.string(),
  partnerId: z.string(),
  hash: z.string(),
  pepperId: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The only terminals that the key reaches; undefined for all of the partner's. */
  terminalIds: z.array(z.string()).optional(),
  expiresAt: uncheckedInstant.optional(),
  /** Revoked for good. */
  revokedAt: uncheckedInstant.optional(),
  /** Its partner is disabled. The mark stands here too, so that a request is refused without a read of the partner. */
  isDisabled: z.boolean().optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface ApiKey extends RecordOf<typeof apiKeyRecord> {}

/** A key's hash, and the pepper that made it. */
export type KeyHash = Pick<ApiKey, "hash" | "pepperId">;

/** When a key was last used. It stands in a row of its own: a write to the key's row could undo a revocation. */
export const keyUseRecord = z.object({
  /** The day in UTC. */
  day,
  /** The network of the caller, such as `203.0.113.0/24` or `2001:db8:7::/48`; `unknown` if no gateway named it. */
  network: z.string(),
});
export interface KeyUse extends RecordOf<typeof keyUseRecord> {}

/** A key as it was read to be changed. */
export interface StoredKey {
  readonly key: ApiKey;
  readonly etag: string;
}

export interface Partners {
  /** A cache may return it as it was a minute ago. */
  find(partnerId: string): Promise<Partner | undefined>;
  /** A cache may return it as it was a minute ago. */
  findKey(keyId: string): Promise<ApiKey | undefined>;
  /**
   * Replaces the hash of a key, and nothing else of it. Does nothing where the key is gone or has another hash. Throws `Conflict` where it
   * changed at the same moment.
   */
  rehashKey(keyId: string, was: KeyHash, next: KeyHash): Promise<void>;
  /** Stores that the key was used, unless that day is stored. Throws `Conflict` if another process was first. */
  noteUse(keyId: string, use: KeyUse): Promise<void>;
  /** When the key was last used; undefined if it never was. */
  findUse(keyId: string): Promise<KeyUse | undefined>;
  /** Reads a partner to change it, never from a cache. */
  read(partnerId: string): Promise<StoredPartner | undefined>;
  /** Reads a key to change it, never from a cache. */
  readKey(keyId: string): Promise<StoredKey | undefined>;
  /** Without an ETag the partner is listed and inserted. Throws `Conflict`. */
  save(partner: Partner, etag: string | undefined): Promise<void>;
  /** Without an ETag the key is listed under its partner and inserted. Throws `Conflict`. */
  saveKey(key: ApiKey, etag: string | undefined): Promise<void>;
  /** The identifiers of all partners. One that was listed, and not inserted because of a crash, is among them. */
  list(): Promise<string[]>;
  /** The identifiers of the partner's keys. One that was listed, and not inserted because of a crash, is among them. */
  keyIds(partnerId: string): Promise<string[]>;
  /** The identifiers of the partner's terminals. */
  terminalIds(partnerId: string): Promise<string[]>;
  addTerminal(partnerId: string, terminalId: string): Promise<void>;
  /** One that is gone already is no error. */
  removeTerminal(partnerId: string, terminalId: string): Promise<void>;
}
