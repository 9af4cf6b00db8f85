import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems that any operation can return, found before it began or in the platform itself. */
export const ofAnyOperation = {
  invalid_json: {
    happened: "The body is not JSON that every reader understands in the same way. Nothing was changed.",
    retry: "No. The same bytes get the same response.",
    toDo: [
      "Parse the body that you really send: a proxy or a template may have changed it.",
      "Look for a member that occurs twice, or one named `__proto__`. A member's name holds no quote, backslash or control character.",
      "Look for a number with more digits than a double holds, bytes that are not UTF-8, and more than 32 levels of nesting.",
    ],
  },
  invalid_credentials: {
    happened:
      "A credential is missing (`required`) or not accepted (`invalid`). `errors` names its header. Nothing was changed. Callers are never told whether a key is unknown, mistyped, expired or revoked; the operator of the platform can see it.",
    retry: "No.",
    toDo: [
      "Check the header that `errors` names. Only the first wrong one is named: when it is right, another may follow.",
      "`Ocp-Apim-Subscription-Key` is the subscription's key for the Partners API. It is refused in the address.",
      "`apikey` is the partner's key and begins with `pk_`. `x-terminal-key` is the terminal's own and begins with `tk_`. Send each whole, as it was issued, without quotes or a line break.",
      "`x-functions-key` is the key of the Consumer Web API. `Authorization` is `Basic` and the Base64 of `user:password`.",
      "Ask whether the key was replaced. A replaced or revoked key stops working within a minute.",
    ],
  },
  forbidden: {
    happened: "The key is accepted but does not have the scope that `detail` names. Nothing was changed.",
    retry: "No. A key's scopes do not change by themselves.",
    toDo: [
      "Use a key that has the scope, or ask the operator for one. The reference names the scope of each operation.",
    ],
  },
  method_not_allowed: {
    happened:
      "The path exists, and has no operation with this method. The header `Allow` names those that it has. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Send the method that `Allow` names. There is neither `HEAD` nor `OPTIONS`, but for a browser's cross-origin check.",
    ],
  },
  not_found: {
    happened: "There is no operation with this path. Payments, terminals and other objects have codes of their own.",
    retry: "No.",
    toDo: [
      "Compare method and path with the reference, letter by letter. A path follows the base address itself; a terminal's begins with `/terminals`.",
      "Put identifiers into the path as they are: a path with `%`, `\\` or `#` belongs to no operation.",
    ],
  },
  body_too_large: {
    happened: "The body has more than 64 KiB, or the operation takes no body and got one. Nothing was changed.",
    retry: "No. Send less, or nothing.",
    toDo: [
      "Leave the body out of a `GET`.",
      "Send references of your own in place of whole orders: the platform keeps 64 characters of them.",
    ],
  },
  unsupported_media_type: {
    happened: "The body's `Content-Type` is not `application/json`. Nothing was changed.",
    retry: "No. Send the header.",
    toDo: ["Send `Content-Type: application/json`. A `charset` after it is accepted; the body is UTF-8 in any case."],
  },
  validation_failed: {
    happened:
      "A field, a query value or a header is missing or wrong. `errors` has a line for each, at most 20, so more may follow. Nothing was changed. A terminal's report of money is kept for an operator even if it is refused.",
    retry: "Yes, corrected. The `sessionID` of a refused payment request is not used up.",
    toDo: [
      "Read `errors`: `field` is the path in the body, `message` continues the sentence “the field …”, `code` is in the table below. New codes may come.",
      "Send amounts as numbers in the major unit (`125.5`), not as strings or cents, with no more decimals than the currency has.",
      "Send identifiers that look like UUIDs. A field that is `null` counts as missing.",
    ],
  },
  rate_limited: {
    happened:
      "There were too many calls in a minute from this key or IP address. One mail address may also have asked for too many vouchers. This call did nothing.",
    retry:
      "Yes: the same request, after the seconds in `Retry-After`. Under its `sessionID`, `refundID` or `reportID` it is safe.",
    toDo: [
      "Wait for `Retry-After`. If many machines wait, add a random time to it.",
      "Do not poll a payment each second: give a `responseWebhookUrl`, or poll with growing pauses. A terminal polls with `wait`, not in a loop.",
      "At `landing-page-request`, a mail address gets at most five vouchers an hour.",
    ],
  },
  internal_error: {
    happened: "The platform made a mistake. This response does not tell whether the request took effect.",
    retry:
      "Yes: the same request under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often you send it. A new name could charge a card twice.",
    toDo: [
      "Repeat with growing pauses: 1 s, 2 s, 4 s, up to a minute.",
      "Read the payment (`GET /pos-payment/{session_id}`) before you tell a customer anything.",
      "If it stays, tell us the `requestID`: it leads to the line in our log.",
    ],
  },
  cursor_expired: {
    happened:
      "The events after this cursor are no longer kept, or the feed never gave this cursor. Events are kept for 35 days. The feed never skips events silently, so this is an error.",
    retry: "No. The same cursor gets the same response.",
    toDo: [
      "Call again without `after`: the feed begins with the oldest event that is kept.",
      "You miss the older events: read the payments of those days with `GET /pos-payments`.",
      "Set an alarm for a reader that stands still: it has weeks before this happens.",
    ],
  },
  dependency_unavailable: {
    happened:
      "A part of the platform does not respond now: it starts, restarts or is overloaded. This response does not tell whether the request took effect.",
    retry:
      "Yes: the same request, after the seconds in `Retry-After`, under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often you send it. A new name could charge a card twice.",
    toDo: [
      "Repeat with growing pauses.",
      "Meanwhile tell the cashier that the outcome is not known yet, not that the payment failed.",
      "`GET /probes/health` tells whether the platform takes requests; it needs no key.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
