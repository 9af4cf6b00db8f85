import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems that any operation can return, found before it began or in the platform itself. */
export const ofAnyOperation = {
  invalid_json: {
    happened: "The body is not JSON that every reader understands in the same way. Nothing was changed.",
    always: ["detail"],
    retry: "No. The same bytes get the same response.",
    toDo: [
      "Look at the place that `detail` names, in the body that you really send: a proxy or a template may have changed it.",
      "Send UTF-8. A member must not occur twice or be named `__proto__`, and its name must not contain a quote, a backslash or a control character.",
      "Send no number with more digits than a double can hold, and at most 32 levels of nesting.",
    ],
  },
  invalid_credentials: {
    happened:
      "A credential is missing (`required`) or not accepted (`invalid`). `errors` names its header. Nothing was changed. The response never says whether a key is unknown, mistyped, expired or revoked. The operator of the platform can see the reason.",
    always: ["errors"],
    retry: "No.",
    toDo: [
      "Check the header that `errors` names. It names only the first wrong header: after you correct that one, another may follow.",
      "`Ocp-Apim-Subscription-Key` is the subscription's key for the Partners API. It is refused in the URL.",
      "`apikey` is the partner's key and begins with `pk_`. `x-terminal-key` is the terminal's own and begins with `tk_`. Send each key whole, as it was issued, without quotes or a line break.",
      "`x-functions-key` is the key of the Consumer Web API. `Authorization` is `Basic` and the Base64 of `user:password`.",
      "Ask whether the key was replaced. A replaced or revoked key stops working within a minute.",
    ],
  },
  forbidden: {
    happened: "The key is accepted but does not have the scope that `detail` names. Nothing was changed.",
    always: ["detail"],
    retry: "No. A key's scopes do not change by themselves.",
    toDo: [
      "Use a key that has the scope, or ask the operator for one. The reference names the scope of each operation.",
      "A cancel with a `refundID` needs the scope `refunds`, and any other cancel `payments`.",
    ],
  },
  method_not_allowed: {
    happened:
      "The path exists, but it has no operation with this method. The header `Allow` names the allowed methods. Nothing was changed.",
    always: ["Allow"],
    retry: "No.",
    toDo: [
      "Send a method that `Allow` names. `HEAD` is not supported. `OPTIONS` is supported only for a browser's cross-origin check.",
    ],
  },
  not_found: {
    happened: "There is no operation with this path. Payments, terminals and other objects have codes of their own.",
    retry: "No.",
    toDo: [
      "Compare the method and the path with the reference, letter by letter. The path directly follows the base address. A terminal's path begins with `/terminals`.",
      "Put identifiers into the path as they are: no operation has a path with `%`, `\\` or `#`.",
    ],
  },
  body_too_large: {
    happened: "The body is larger than 64 KiB, or the operation takes no body and got one. Nothing was changed.",
    always: ["detail"],
    retry: "No. Send less, or nothing.",
    toDo: [
      "Leave the body out of a `GET`.",
      "Send your own references instead of whole orders. A reference has at most 64 characters.",
    ],
  },
  unsupported_media_type: {
    happened:
      "The body's `Content-Type` is not `application/json`, or its `Content-Encoding` says that it is compressed. Nothing was changed. A terminal's report that is JSON is read all the same.",
    always: ["detail"],
    retry: "No. Send the right headers.",
    toDo: [
      "Send `Content-Type: application/json`. A `charset` is accepted, but the body is always read as UTF-8.",
      "Send the body uncompressed, without `Content-Encoding`.",
    ],
  },
  validation_failed: {
    happened:
      "A field, a query value or a header is missing or wrong. `errors` has a line for each, at most 20, so more may follow. Nothing was changed. A terminal's report of money is kept for an operator even if it is refused.",
    always: ["errors"],
    retry: "Yes, corrected. The `sessionID` of a refused payment request is not used up.",
    toDo: [
      "Read `errors`: `field` is the path in the body, `message` continues the sentence “the field …”, `code` is in the table below. New codes may be added.",
      "Send amounts as numbers in the major unit (`125.5`), not as strings or cents, with no more decimals than the currency has.",
      "Send identifiers that look like UUIDs. A field that is `null` counts as missing.",
    ],
  },
  rate_limited: {
    happened:
      "There were too many calls in a minute from this key or IP address. Or there were too many voucher requests for one mail address, or tests of webhooks. This call had no effect.",
    always: ["Retry-After"],
    retry:
      "Yes: the same request, after the seconds in `Retry-After`. The same `sessionID`, `refundID` or `reportID` makes this safe.",
    toDo: [
      "Wait for `Retry-After`. If many machines wait, add a random time to it.",
      "Do not poll a payment every second: set a `responseWebhookUrl`, or poll with growing pauses. A terminal polls with `wait`, not in a loop.",
      "At `landing-page-request`, a mail address gets at most five vouchers an hour.",
      "At `webhook-test`, a partner gets ten tests an hour.",
    ],
  },
  internal_error: {
    happened: "The platform has an internal error. This response does not show whether the request took effect.",
    retry:
      "Yes: the same request under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often you send it. A new identifier could charge a card twice.",
    toDo: [
      "Retry with growing pauses: 1 s, 2 s, 4 s, up to a minute.",
      "Read the payment (`GET /pos-payment/{session_id}`) before you tell a customer anything.",
      "If the error stays, tell us the `requestID`: with it we find the line in our log.",
    ],
  },
  cursor_expired: {
    happened:
      "The events after this cursor are no longer kept, or this feed never returned this cursor. Events are kept for 35 days. The feed never skips events silently, so this is an error.",
    retry: "No. The same cursor gets the same response.",
    toDo: [
      "Call again without `after`: the feed begins with the oldest event that is kept.",
      "You miss the older events: read the payments of those days with `GET /pos-payments`.",
      "Set an alarm for a reader that has stopped: you have weeks before this happens.",
    ],
  },
  no_webhook_url: {
    happened: "You have no default address for webhooks, and the request names none. Nothing was sent.",
    retry: "Yes, with `url`.",
    toDo: ["Name the address in `url`, or have the operator set your default address."],
  },
  dependency_unavailable: {
    happened:
      "A part of the platform does not respond now: it is starting, restarting or overloaded. This response does not show whether the request took effect.",
    always: ["Retry-After"],
    retry:
      "Yes: the same request, after the seconds in `Retry-After`, under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often you send it. A new identifier could charge a card twice.",
    toDo: [
      "Retry with growing pauses.",
      "Meanwhile tell the cashier that the outcome is not known yet. Do not say that the payment failed.",
      "`GET /probes/health` says whether the platform accepts requests. It needs no key.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
