import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { SealedSecret, SigningSecrets } from "../../ports/signing-secrets.ts";

/** The secrets of the keys by their identifiers. The first encrypts. The others only decrypt what they encrypted before. */
export type WebhookSecretKeys = Readonly<Record<string, string>>;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A new secret of 256 random bits. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * Encrypts signing secrets with AES-256-GCM, so that tables and exports alone cannot sign anything. Partner and identifier are the
 * additional data: a secret that is copied into another partner's row cannot be decrypted. Throws if there is no key.
 *
 * @param newText makes the text of a new secret
 */
export function signingSecrets(keys: WebhookSecretKeys, newText: () => string = newWebhookSecret): SigningSecrets {
  const [firstId] = Object.keys(keys);
  if (firstId === undefined) throw new Error("no key for webhook secrets is configured");
  const derived = new Map(
    Object.entries(keys).map(([id, secret]) => [id, createHmac("sha256", secret).update("webhook secrets").digest()]),
  );
  const keyOf = (id: string): Buffer => {
    const key = derived.get(id);
    if (key === undefined) throw new Error(`the settings lack the key ${id} of a webhook secret`);
    return key;
  };
  const seal = (partnerId: string, text: string, named: Pick<SealedSecret, "secretId" | "createdAt">): SealedSecret => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, keyOf(firstId), nonce).setAAD(boundTo(partnerId, named));
    const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return { ...named, sealedBy: firstId, sealed: sealed.toString("base64") };
  };
  const open: SigningSecrets["open"] = (partnerId, secret) => {
    const bytes = Buffer.from(secret.sealed, "base64");
    const decipher = createDecipheriv(CIPHER, keyOf(secret.sealedBy), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(partnerId, secret)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
    try {
      return text + decipher.final("utf8");
    } catch (error) {
      const what = `the webhook secret ${secret.secretId} of partner ${partnerId}`;
      throw new Error(`${what} does not open with the key ${secret.sealedBy}`, { cause: error });
    }
  };
  return {
    make(partnerId, secretId, createdAt, text = newText()) {
      return { text, sealed: seal(partnerId, text, { secretId, createdAt }) };
    },
    open,
    reseal(partnerId, secret) {
      if (secret.sealedBy === firstId) return undefined;
      const { secretId, createdAt } = secret;
      return seal(partnerId, open(partnerId, secret), { secretId, createdAt });
    },
  };
}

const boundTo = (partnerId: string, { secretId }: Pick<SealedSecret, "secretId">): Buffer =>
  Buffer.from(`${partnerId}\0${secretId}`);
