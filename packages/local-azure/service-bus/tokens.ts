/** A token as a client sends it to `$cbs`, with its declared type. */
export interface Token {
  readonly type: string;
  readonly text: string;
}

/** The end of a token's access, in milliseconds since 1970. Or a sentence that says why it gives no access. */
export type Judgement = { readonly until: number } | { readonly refusal: string };

/** Accepts every token without an end, as Microsoft's emulator does. */
export const anyToken = (): Judgement => ({ until: Infinity });

const audience = /^https:\/\/servicebus\.azure\.net\/?$/;

/**
 * Accepts tokens of Microsoft Entra ID for Service Bus until they expire, and rejects SAS. The signature is not checked, because there is
 * no issuer here. `now` is in milliseconds since 1970.
 */
export function entraToken({ type, text }: Token, now: number): Judgement {
  if (type !== "jwt") return { refusal: "InvalidTokenType: only tokens of Microsoft Entra ID are accepted." };
  const claims = claimsOf(text);
  if (!claims) return { refusal: "InvalidToken: the token cannot be read." };
  const { aud, exp } = claims;
  if (typeof aud !== "string" || !audience.test(aud))
    return { refusal: "InvalidAudience: the token is for another service." };
  if (typeof exp !== "number" || exp * 1000 <= now) return { refusal: "ExpiredToken: the token has expired." };
  return { until: exp * 1000 };
}

function claimsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}
