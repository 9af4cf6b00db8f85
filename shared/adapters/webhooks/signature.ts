import { createHmac } from "node:crypto";

export interface SignedContent {
  readonly id: string;
  /** Unix time of this attempt, in whole seconds. */
  readonly timestamp: number;
  readonly body: string;
  /** Active signing secrets, `whsec_<base64>`. During a rotation, both sign. */
  readonly secrets: readonly string[];
}

/**
 * The `webhook-signature` header of Standard Webhooks: one `v1,<base64>` entry for each active secret. Throws if there is no secret or one
 * is malformed. The message never holds the secret.
 */
export function signWebhook({ id, timestamp, body, secrets }: SignedContent): string {
  if (secrets.length === 0) throw new Error("A webhook cannot be signed without a secret.");
  const content = `${id}.${timestamp}.${body}`;
  const entry = (secret: string) => `v1,${createHmac("sha256", keyOf(secret)).update(content).digest("base64")}`;
  return secrets.map(entry).join(" ");
}

/** Standard Webhooks requires 24 to 64 random bytes. */
const KEY_BYTES = { least: 24, most: 64 };

function keyOf(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(encoded ?? "", "base64");
  // Buffer silently skips characters that are not base64. Only a key that encodes back to the same text is valid.
  if (key.toString("base64") !== encoded || key.length < KEY_BYTES.least || key.length > KEY_BYTES.most) {
    throw new Error("A webhook signing secret is malformed: it must be whsec_ and the base64 of 24 to 64 bytes.");
  }
  return key;
}
