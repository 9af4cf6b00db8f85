import type { ApiName } from "../../shared/auth/authenticate.ts";
import type { Contract } from "../../shared/http/contract.ts";

/** `3.0.3` is what API Management imports; `3.1.1` is for people and clients. */
export type OpenApiVersion = "3.0.3" | "3.1.1";

/** What an API's documents say about the whole API. */
export interface ApiWords {
  readonly title: string;
  /** The version of the API, not of the code. A higher major number may break its callers; no other change may. */
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly security: readonly string[];
  readonly groups: Readonly<Record<string, string>>;
  readonly groupOf: (contract: Contract) => string;
}

const common = `
Every body is JSON, and every error too: RFC 9457's members with a \`code\` that programs act on; \`retryable\` says whether the same request may succeed later.
Identifiers look like UUIDs. Amounts are numbers in the currency's major unit. Moments are in UTC.

Answers may gain members, and enumerations values: ignore what you do not know. What would break a caller comes with a new major version only.
Each answer carries \`x-request-id\`; name it when you ask about a request. A \`traceparent\` that you send is carried on.`;

const partners: ApiWords = {
  title: "Partners API",
  version: "2.0.0",
  description: `Payments on point-of-service terminals, server to server: request, cancel, capture, refund, read; discounts; terminals and what they ask.

**No payment is lost, doubled or guessed.** Whatever fails on the way, send the same request again: a \`sessionID\` is one payment for ever, and a repeat is answered with
how it stands, marked \`Idempotent-Replayed: true\`. What cannot be known yet is \`reconciling\`, never a guess.

What a terminal or the platform does is called back to \`responseWebhookUrl\`, signed as Standard Webhooks has it; what you asked for yourself is answered.
Answer a webhook with 2xx within 15 seconds; otherwise it comes again, for about a week, under the same \`webhook-id\`.

\`Ocp-Apim-Trace\` is accepted and has no effect.
${common}`,
  security: ["apikey", "subscriptionKey"],
  groups: {
    Payments: "From the request to the refund.",
    Terminals: "Whether a terminal can take a payment.",
    "Action requests": "What a terminal asks while a customer waits.",
  },
  groupOf: ({ scope }) => (scope === "terminals" ? "Terminals" : scope === "actions" ? "Action requests" : "Payments"),
};

const consumer: ApiWords = {
  title: "Consumer Web API",
  version: "2.0.0",
  description: `Landing pages, and the vouchers and keys that customers ask for there. The code goes to the customer by e-mail and nowhere else.
${common}`,
  security: ["functionKey"],
  groups: { "Landing pages": "Where customers ask for a voucher or key." },
  groupOf: () => "Landing pages",
};

const terminals: ApiWords = {
  title: "Terminals API",
  version: "2.0.0",
  description: `What a point-of-service terminal speaks: it fetches messages, reports what happened, and asks what it needs to know.

A message is handed out again until a report names its \`messageID\`. A report is kept once, under its \`reportID\`: send it until it is answered.
${common}`,
  security: ["terminalKey"],
  groups: { Messages: "What the platform asks of a terminal, and what the terminal answers." },
  groupOf: () => "Messages",
};

export const apis: Readonly<Record<ApiName, ApiWords>> = { partners, consumer, terminals };

const header = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description }) as const;

/** Every authentication scheme, by the name that the documents use for it. */
export const securitySchemes = {
  apikey: header(
    "apikey",
    "The partner's key: `<prefix>_<keyID>_<secret>`. It has scopes, and may be bound to terminals.",
  ),
  subscriptionKey: header("Ocp-Apim-Subscription-Key", "The subscription's key, from the portal."),
  functionKey: header("x-functions-key", "The key of the function."),
  basic: { type: "http", scheme: "basic", description: "The web application's user and password." },
  terminalKey: header("x-terminal-key", "The terminal's own key."),
} as const;
