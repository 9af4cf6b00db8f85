import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { uncheckedInstant } from "../domain/time.ts";

export const scopes = ["payments", "refunds", "terminals", "actions", "discounts"] as const;
export type Scope = (typeof scopes)[number];

export const partnerRecord = z.object({
  partnerId: z.string(),
  name: z.string(),
  /** The address for webhooks of a payment that names none itself. */
  webhookUrl: z.string().optional(),
  /** Active signing secrets, `whsec_…`. Each of them signs, so that a secret can be rotated while both are valid. */
  webhookSecrets: z.array(z.string()),
});
export interface Partner extends RecordOf<typeof partnerRecord> {}

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
});
export interface ApiKey extends RecordOf<typeof apiKeyRecord> {}

/** A key's hash, and the pepper that made it. */
export type KeyHash = Pick<ApiKey, "hash" | "pepperId">;

export interface Partners {
  find(partnerId: string): Promise<Partner | undefined>;
  findKey(keyId: string): Promise<ApiKey | undefined>;
  save(partner: Partner): Promise<void>;
  saveKey(key: ApiKey): Promise<void>;
  /**
   * Replaces the hash of a key, and nothing else of it. Does nothing where the key is gone or has another hash. Throws `Conflict` where it
   * changed at the same moment.
   */
  rehashKey(keyId: string, was: KeyHash, next: KeyHash): Promise<void>;
  /** The identifiers of the partner's terminals. */
  terminalIds(partnerId: string): Promise<string[]>;
  addTerminal(partnerId: string, terminalId: string): Promise<void>;
}
