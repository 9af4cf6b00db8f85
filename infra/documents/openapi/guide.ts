/**
 * The guide at the start of the Partners API, used as the description in its published document. It is Markdown with headings of the second
 * level, paragraphs, lists, tables and code. The local reference page shows its sections one by one, and adds the demo's values to some.
 */
export const guide = `Payments on point-of-service terminals, server to server. You request, cancel, capture, refund and read payments, add discounts, read terminals and answer their action requests.

**No payment is lost, doubled or guessed.** Every request is idempotent: after any failure, send the same request again. An unknown outcome is \`reconciling\`, never a guess.

## Keys

Every request has two headers. Keep both values on your server: this API is not for browsers or apps.

| header | what it is |
|---|---|
| \`apikey\` | Your key: \`<prefix>_<keyID>_<secret>\`. It has scopes (\`payments\`, \`refunds\`, \`discounts\`, \`terminals\`, \`actions\`, and \`reports\`, which only reads), and may be limited to some terminals. Two keys can be active, so that you can replace one without a pause. |
| \`Ocp-Apim-Subscription-Key\` | Your subscription at the gateway. |

\`Ocp-Apim-Trace\` is accepted and has no effect.

## First request

\`POST /pos-payment-request\` sends a payment to a terminal. Make its \`sessionID\`, a new UUID, and store it before you send the request. It identifies this payment permanently.
The response is 202, and the payment is \`pending\`. Webhooks report its progress, and \`GET /pos-payment/{session_id}\` reads it at any time.

| \`status\` | what to do |
|---|---|
| \`pending\`, \`inProgress\` | Wait, or cancel. |
| \`authorized\` | The card is approved, and the money is held. Capture it within 36 hours, or cancel it. After that it is given back, unless a capture was requested. If a capture fails, the payment is \`authorized\` again. Request the same amount again: the first capture may still turn out as made. With \`captureMode: automatic\` this status does not occur. |
| \`captured\` | The payment is paid. Use a refund to return money. If a charge is \`contradicted\`, wait for an operator. |
| \`declined\`, \`cancelled\`, \`expired\`, \`failed\`, \`voided\` | Nothing is paid. A new attempt needs a new \`sessionID\`. |
| \`cancelRequested\`, \`captureRequested\`, \`voidRequested\` | The terminal has the request, or gets it when it is on. Wait. A capture waits until \`deliverBefore\`. |
| \`reconciling\` | The outcome is unknown. Wait: do not request another payment for the same sale. The terminal's report or an operator ends this status. |

## Retries

A request that got no response may have been carried out. Send it again, unchanged. Idempotency comes from your identifier: the request is carried out once.

| request | idempotency key |
|---|---|
| payment request, cancel, capture | \`sessionID\` |
| refund | \`refundID\`: name every refund. Or the header \`Idempotency-Key\` |
| discount | \`discountID\`, or the header \`Idempotency-Key\` |
| response to an action request | \`actionRequestID\` |

The response to a retry has the current state, and the header \`Idempotent-Replayed: true\`. The same identifier with other content is refused.
Retry after a lost connection, and if a problem says \`retryable: true\`. Make the pauses longer each time. If there is a \`Retry-After\`, wait that many seconds. Do not retry other problems.

\`RateLimit-Policy\` has your limits, and \`RateLimit\` has the rest of one limit. Slow down before the rest is 0: then you get 429.

## Webhooks

Changes by a terminal or the platform are sent to the payment's \`responseWebhookUrl\`, or else to your default address. The address needs https on port 443, at a public host. The change that your request makes at once, such as \`captureRequested\` or a \`pending\` refund, is in its response and has no webhook. Only the feed of events has it, with \`causedBy\` and your \`keyID\`. The terminal's later report of it has a webhook.

- Respond with 2xx within 15 seconds, and process the event afterwards. After any other response the webhook is retried, for about a week.
- Process each \`webhook-id\` once: the same event may arrive twice.
- Events may arrive out of order. Each has the whole object, and a higher \`sequence\` is newer.
- 410 ends the attempts. \`Retry-After\` of a 429 or 503 is obeyed. Redirects are not followed.
- \`POST /webhook-test\` sends a signed test event to your server, and responds with what happened.

## Verify a webhook

Webhooks follow [Standard Webhooks](https://www.standardwebhooks.com), so its libraries verify them. Without a library:

1. Take the body byte for byte, before it is parsed.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with points: \`<id>.<timestamp>.<body>\`.
3. The key is your secret without \`whsec_\`, decoded from base64.
4. Compute the HMAC-SHA256 of the joined text with the key, in base64.
5. The header \`webhook-signature\` has an entry \`v1,<signature>\` for each of your active secrets, separated by spaces. Compare each in constant time. One must match.
6. Reject a \`webhook-timestamp\` that is more than five minutes off, because old requests can be replayed.

## Errors

Every body is JSON. An error has the members of RFC 9457 and a \`code\` for programs. \`retryable\` says whether the same request may succeed later. \`errors\` names each missing or wrong field.
Each response has \`x-request-id\`: quote it in questions about a request. A \`traceparent\` that you send is continued.

## Amounts

Amounts are numbers in the currency's major unit: \`125.5\` with \`SEK\` is 125 kronor and 50 öre. More decimals than the currency has are refused.

Identifiers look like UUIDs, in upper or lower case. Times are in UTC.

## Changes

Unknown members of a request are ignored, unless they ask for money that the platform does not take. Send \`Prefer: handling=strict\` to have every unknown member rejected.

Responses may get new members, enumerations new values, and webhooks new types: ignore unknown ones. For this reason enumerations are strings in this document, with a list of today's values. A breaking change needs a new major version.`;
