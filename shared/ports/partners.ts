import type { Instant } from "../domain/time.ts";

export const scopes = ["payments", "refunds", "terminals", "actions", "discounts"] as const;
export type Scope = (typeof scopes)[number];

export interface Partner {
  readonly partnerId: string;
  readonly name: string;
  /** Where events go for a payment that names no address of its own. */
  readonly webhookUrl?: string | undefined;
  /** Active signing secrets, `whsec_…`; each signs, so that one can be rotated while both are valid. */
  readonly webhookSecrets: readonly string[];
}

/** An `apikey` as it is stored: never the key, only a peppered hash of it. */
export interface ApiKey {
  readonly keyId: string;
  readonly partnerId: string;
  readonly hash: string;
  readonly pepperId: string;
  readonly scopes: readonly Scope[];
  /** The only terminals it reaches, or undefined for all of the partner's. */
  readonly terminalIds?: readonly string[] | undefined;
  readonly expiresAt?: Instant | undefined;
}

export interface Partners {
  find(partnerId: string): Promise<Partner | undefined>;
  findKey(keyId: string): Promise<ApiKey | undefined>;
  save(partner: Partner): Promise<void>;
  saveKey(key: ApiKey): Promise<void>;
  /** Which terminals are the partner's. */
  terminalIds(partnerId: string): Promise<string[]>;
  addTerminal(partnerId: string, terminalId: string): Promise<void>;
}
