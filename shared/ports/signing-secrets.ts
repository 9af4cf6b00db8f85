import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { uncheckedInstant, type Instant } from "../domain/time.ts";

/** A secret that signs a partner's webhooks, as its row and exports hold it. It is encrypted, and bound to this partner and identifier. */
export const sealedSecretRecord = z.object({
  secretId: z.string(),
  /** The identifier of the key that encrypted it. */
  sealedBy: z.string(),
  /** Nonce, ciphertext and tag, in base64. */
  sealed: z.string(),
  createdAt: uncheckedInstant,
});
export interface SealedSecret extends RecordOf<typeof sealedSecretRecord> {}

/**
 * Makes and opens the secrets that sign webhooks. Their text is only in memory, to make one signature or to be shown to the operator once.
 */
export interface SigningSecrets {
  /** A new secret, and its text `whsec_…`, which is shown once: a random one, or a text that was generated before. */
  make(
    partnerId: string,
    secretId: string,
    createdAt: Instant,
    text?: string,
  ): { readonly text: string; readonly sealed: SealedSecret };
  /** The secret's text. Throws if the settings lack its key, or if the row is another partner's or was changed. */
  open(partnerId: string, sealed: SealedSecret): string;
  /** The secret under the first key. Undefined if it is already under that key. Throws as `open` does. */
  reseal(partnerId: string, sealed: SealedSecret): SealedSecret | undefined;
}
