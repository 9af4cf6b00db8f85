import type { WebhookView } from "../../../views/webhooks.ts";

// The signature of Standard Webhooks, worked out on the page itself with the browser's own cryptography.

/** The parts of what is signed, which are joined by points. */
export interface SignedParts {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

export function partsOf({ headers, body }: Pick<WebhookView, "headers" | "body">): SignedParts {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
  return { id: header("webhook-id"), timestamp: header("webhook-timestamp"), body };
}

/** The base64 of the HMAC-SHA256 of the parts, under a secret as `whsec_<base64>`. Rejects for a secret that is none. */
export async function signatureOf({ id, timestamp, body }: SignedParts, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const result = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return btoa(String.fromCharCode(...new Uint8Array(result)));
}

/** The received signature that is compared: the one that fits, where the header holds several, as while a secret is exchanged. */
export function receivedOf(
  { headers, signature }: Pick<WebhookView, "headers" | "signature">,
  expected: string,
): string {
  const header = headers.find(([name]) => name.toLowerCase() === "webhook-signature")?.[1] ?? "";
  const received = header.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3)] : []));
  return received.find((one) => one === expected) ?? signature.received;
}

/** A run of letters that are all alike in both texts, or all different. */
export interface Run {
  readonly isAlike: boolean;
  readonly left: string;
  readonly right: string;
}

/** Both texts, letter by letter. A letter without a partner is different. */
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
