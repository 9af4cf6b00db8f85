/**
 * The guide at the start of the Partners API, used as the description in its published document. It is Markdown with headings of the second
 * level, paragraphs, lists, tables and code. The local reference page shows its sections one by one, and adds the demo's values to some.
 */
export const guide = `Payments on point-of-service terminals, server to server: request, cancel, capture, refund, read; discounts; terminals and their action requests.

**No payment is lost, doubled or guessed.** After any failure, send the same request again. An outcome that is not known yet is \`reconciling\`, never a guess.

## Keys

Every request has two headers. Keep both values on your server: this API is not for browsers or apps.

| header | what it is |
|---|---|
| \`apikey\` | Your key: \`<prefix>_<keyID>_<secret>\`. It has scopes (\`payments\`, \`refunds\`, \`discounts\`, \`terminals\`, \`actions\`), and may be bound to terminals. Two can be active, so that you can exchange one without a pause. |
| \`Ocp-Apim-Subscription-Key\` | Your subscription at the gateway. |

\`Ocp-Apim-Trace\` is accepted and has no effect.

## First request

\`POST /pos-payment-request\` has a terminal take a payment. You draw its \`sessionID\`, a new UUID, and store it before you send the request: it names this payment for ever.
The response is 202, and the payment is \`pending\`. What becomes of it is sent to your webhook address, and \`GET /pos-payment/{session_id}\` reads it at any time.

| \`status\` | what to do |
|---|---|
| \`pending\`, \`inProgress\` | Wait, or cancel. |
| \`authorized\` | The card is approved, and the money is held. Capture it within 36 hours, or cancel it; with \`captureMode: automatic\` it is captured at once. |
| \`captured\` | Done. Money goes back by a refund. |
| \`declined\`, \`cancelled\`, \`expired\`, \`failed\`, \`voided\` | Nothing is paid. A new try is a new \`sessionID\`. |
| \`cancelRequested\`, \`captureRequested\`, \`voidRequested\` | The terminal was told; wait. |
| \`reconciling\` | The outcome is not known yet. Wait: do not request another payment for the same sale. It ends by the terminal's report or by an operator. |

## Retries

A request that got no response may have been carried out. Send it again, unchanged: the identifier that you drew names it, so it is carried out once.

| request | its name |
|---|---|
| payment request, cancel, capture | \`sessionID\` |
| refund | \`refundID\`, or the header \`Idempotency-Key\` |
| discount | \`discountID\`, or the header \`Idempotency-Key\` |
| response to an action request | \`actionRequestID\` |

The response to a repeat has the present state, and the header \`Idempotent-Replayed: true\`. The same name with other content is refused.
Repeat after a lost connection, and where a problem says \`retryable: true\`, with pauses that grow; where there is a \`Retry-After\`, wait as many seconds. Do not repeat what is not retryable.

\`RateLimit-Policy\` names your limits and \`RateLimit\` what is left of one: slow down before it is 0, when you would get 429.

## Webhooks

What a terminal or the platform does is sent to the payment's \`responseWebhookUrl\`, or else to your default address; https on port 443, at a public host. The outcome of your own request is in its response.

- Respond with 2xx within 15 seconds, and work afterwards. Anything else is tried again, for about a week.
- Process each \`webhook-id\` once: the same event may arrive twice.
- Events may arrive out of order. Each has the whole object: of two, the higher \`sequence\` is the newer.
- 410 ends the attempts. \`Retry-After\` of a 429 or 503 is honoured. Redirects are not followed.

## Verify a webhook

Webhooks are signed as [Standard Webhooks](https://www.standardwebhooks.com) says, so its libraries verify them. By hand:

1. Take the body as it came, byte for byte, before it is parsed.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body by points: \`<id>.<timestamp>.<body>\`.
3. The key is your secret without \`whsec_\`, decoded from base64.
4. Work out the HMAC-SHA256 of the joined text under the key, in base64.
5. The header \`webhook-signature\` has entries \`v1,<signature>\`, with spaces between them: one for each of your active secrets. Compare each in constant time. One must fit.
6. Refuse a \`webhook-timestamp\` that is more than five minutes off: an old request may have been recorded.

## Errors

Every body is JSON, also of an error: RFC 9457's members with a \`code\` for programs. \`retryable\` says whether the same request may succeed later; \`errors\` names each field that is missing or wrong.
Each response carries \`x-request-id\`; name it in questions about a request. A \`traceparent\` that you send is continued.

## Amounts

Amounts are numbers in the currency's major unit: \`125.5\` with \`SEK\` is 125 kronor and 50 öre. More decimals than the currency has are refused. Inside, they are integers of minor units.

Identifiers look like UUIDs, in upper or lower case. Times are in UTC.

## Changes

Responses may get new members, enumerations new values, and webhooks new types: ignore those that you do not know. Enumerations are texts in this document for that reason, and each lists the values of today. A change that breaks callers comes only with a new major version.`;
