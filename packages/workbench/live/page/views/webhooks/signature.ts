import type { WebhookView } from "../../../views/webhooks.ts";

// The signature of Standard Webhooks, computed on the page with the browser's own cryptography.

/** The parts of the signed text, which are joined by dots. */
export interface SignedParts {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

export function partsOf({ headers, body }: Pick<WebhookView, "headers" | "body">): SignedParts {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
  return { id: header("webhook-id"), timestamp: header("webhook-timestamp"), body };
}

/** The base64 of the HMAC-SHA256 of the parts. The secret has the form `whsec_<base64>`. Rejects if the secret is invalid. */
export async function signatureOf({ id, timestamp, body }: SignedParts, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const result = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return btoa(String.fromCharCode(...new Uint8Array(result)));
}

/** The received signature to compare. The header has several while a secret is being replaced: then it is the signature that matches. */
export function receivedOf(
  { headers, signature }: Pick<WebhookView, "headers" | "signature">,
  expected: string,
): string {
  const header = headers.find(([name]) => name.toLowerCase() === "webhook-signature")?.[1] ?? "";
  const received = header.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3)] : []));
  return received.find((one) => one === expected) ?? signature.received;
}

/** A run of characters that are all equal in both texts, or all different. */
export interface Run {
  readonly isAlike: boolean;
  readonly left: string;
  readonly right: string;
}

/** Compares both texts, character by character. A character without a counterpart is different. */
export function runsOf(left: string, right: string): readonly Run[] {
  const runs: { isAlike: boolean; left: string; right: string }[] = [];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [a, b] = [left.charAt(i), right.charAt(i)];
    const last = runs.at(-1);
    if (last?.isAlike === (a === b)) {
      last.left += a;
      last.right += b;
    } else runs.push({ isAlike: a === b, left: a, right: b });
  }
  return runs;
}
