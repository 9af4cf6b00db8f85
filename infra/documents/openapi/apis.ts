import * as z from "zod";
import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { CREDENTIALS, type CredentialHeader } from "../../../shared/edge/auth/invalid-credentials.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { guide } from "./guide.ts";

/** API Management imports `3.0.3`. People and clients use `3.1.1`. */
export type OpenApiVersion = "3.0.3" | "3.1.1";

/** The texts about a whole API in its documents. */
export interface ApiWords {
  readonly title: string;
  /** The version of the API, not of the code. Only a higher major number may break its callers. */
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** Markdown. The document for people shows it instead of the description. */
  readonly guide?: string;
  readonly security: readonly (keyof typeof CREDENTIALS)[];
  readonly groups: Readonly<Record<string, string>>;
  readonly groupOf: (contract: Contract) => string;
}

const common = `
Every body is JSON. An error has the members of RFC 9457 and a \`code\` for programs. \`retryable\` says whether the same request may succeed later.
Identifiers look like UUIDs. Amounts are numbers in the currency's major unit. Times are in UTC.

Responses may get new members, enumerations new values, and webhooks new types: ignore unknown ones. A breaking change needs a new major version.
Each response has \`x-request-id\`: quote it in questions about a request. A \`traceparent\` that you send is continued.`;

const partners: ApiWords = {
  title: "Partners API",
  version: "1.0.0",
  description: `Payments on point-of-service terminals, server to server: request, cancel, capture, refund, read; discounts; terminals and their action requests.

**No payment is lost, doubled or guessed.** After any failure, send the same request again: a \`sessionID\` identifies one payment permanently.
The response to a retry has the payment's current state, and the header \`Idempotent-Replayed: true\`. An unknown outcome is \`reconciling\`, never a guess.

Changes by a terminal or the platform are sent to \`responseWebhookUrl\`, signed according to Standard Webhooks. The outcome of your own request is in its response.
Respond to a webhook with 2xx within 15 seconds. Otherwise it is retried for about a week, under the same \`webhook-id\`.

\`Ocp-Apim-Trace\` is accepted and has no effect.
${common}`,
  guide,
  security: ["apikey", "subscriptionKey"],
  groups: {
    Payments: "From the request to the refund.",
    Terminals: "Whether a terminal accepts payments.",
    "Action requests": "Requests that a terminal raises while a customer waits.",
  },
  groupOf: ({ scopes: [scope] }) =>
    scope === "terminals" ? "Terminals" : scope === "actions" ? "Action requests" : "Payments",
};

const consumer: ApiWords = {
  title: "Consumer Web API",
  version: "1.0.0",
  description: `Landing pages, and the vouchers and keys that customers request there. The code is sent to the customer by e-mail only.
${common}`,
  security: ["functionKey"],
  groups: { "Landing pages": "The pages where customers request a voucher or key." },
  groupOf: () => "Landing pages",
};

const terminals: ApiWords = {
  title: "Terminals API",
  version: "1.0.0",
  description: `The API of a point-of-service terminal: it fetches messages, reports what happened, and raises action requests.

A message is delivered again until a report names its \`messageID\`. A report is recorded once, under its \`reportID\`. Repeat it until it gets a response.
${common}`,
  security: ["terminalKey"],
  groups: { Messages: "The platform's messages to a terminal, and the terminal's answers." },
  groupOf: () => "Messages",
};

export const apis: Readonly<Record<ApiName, ApiWords>> = { partners, consumer, terminals };

const header = (name: string, description: string) => ({ type: "apiKey", in: "header", name, description }) as const;

/** The headers that authenticate the caller of an operation. */
export const credentialsOf = ({ api, basic }: Pick<Contract, "api" | "basic">): readonly CredentialHeader[] =>
  [...apis[api].security, ...(basic ? (["basic"] as const) : [])].map((scheme) => CREDENTIALS[scheme]);

/** Every authentication scheme, by the name that the documents use for it. */
export const securitySchemes = {
  apikey: header(
    CREDENTIALS.apikey,
    "The partner's key: `<prefix>_<keyID>_<secret>`. It has scopes, and may be limited to some terminals.",
  ),
  subscriptionKey: header(CREDENTIALS.subscriptionKey, "The subscription's key, from the portal."),
  functionKey: header(CREDENTIALS.functionKey, "The key of the function."),
  basic: { type: "http", scheme: "basic", description: "The web application's user and password." },
  terminalKey: header(CREDENTIALS.terminalKey, "The terminal's own key."),
} as const;

/**
 * The keys of an API's callers as required header parameters. An import ignores security schemes, but the developer portal shows a field
 * for each of these headers. The portal adds the subscription's key by itself.
 */
export const keyParameters = (api: ApiName): z.ZodObject =>
  z.object(
    Object.fromEntries(
      apis[api].security
        .filter((scheme) => scheme !== "subscriptionKey")
        .map((scheme) => [CREDENTIALS[scheme], z.string().meta({ description: securitySchemes[scheme].description })]),
    ),
  );
