import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems that any operation may have: found before it began, or in the platform itself. */
export const ofAnyOperation = {
  invalid_json: {
    happened:
      "The body is not JSON that every reader takes the same way. Nothing was read of it, and nothing was changed.",
    retry: "No. The same bytes get the same answer.",
    toDo: [
      "Parse the body that you really send: a proxy or a template may have changed it.",
      "Look for a member that occurs twice, a member named `__proto__` or with a quote, a backslash or a control character in its name, a number with more digits than a double holds, bytes that are not UTF-8, or more than 32 levels of nesting. Each of them is refused.",
    ],
  },
  length_required: {
    happened: "The request has no `Content-Length`. Nothing was read, and nothing was changed.",
    retry: "No. Send the header.",
    toDo: [
      "Send the body as one piece of text, and not as a stream: most HTTP clients then set `Content-Length` themselves.",
      "Switch off `Transfer-Encoding: chunked` where your client sets it.",
    ],
  },
  invalid_credentials: {
    happened:
      "A credential is missing or not accepted. `errors` names its header: `required` is missing, `invalid` is there and not accepted. Nothing was read, and nothing was changed. Whether a key is unknown, mistyped, expired or revoked is told to nobody; the operator of the platform can see it.",
    retry: "No. Wrong passwords are counted, and too many are 429 for a minute.",
    toDo: [
      "Check the header that `errors` names, and that header alone. Only the first wrong one is named: when it is right, another may follow.",
      "`Ocp-Apim-Subscription-Key` is the subscription's key, in this header; in the address it is refused. It opens the Partners API and no other.",
      "`apikey` is the partner's key, and begins with `pk_`. `x-terminal-key` is the terminal's own, and begins with `tk_`. Send each whole, without quotes or a line's end, in the case in which it was issued.",
      "`x-functions-key` is the key of the Consumer Web API. `Authorization` is `Basic` and the Base64 of `user:password`.",
      "Ask whether the key was replaced. A replaced or revoked key stops working within a minute.",
    ],
  },
  forbidden: {
    happened:
      "The key is accepted, and does not have the scope of this operation. `detail` names the scope. Nothing was changed.",
    retry: "No. A key's scopes do not change by themselves.",
    toDo: [
      "Use a key that has the scope, or have the operator issue one. The reference says at each operation which scope it needs.",
    ],
  },
  not_found: {
    happened:
      "There is no operation with this method and path. This is not about a payment or a terminal: those have codes of their own.",
    retry: "No.",
    toDo: [
      "Compare method and path with the reference, letter by letter; the path begins with `/partners`, `/terminals` or `/consumer`.",
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
    happened: "The body's `Content-Type` is not `application/json`. Nothing was read, and nothing was changed.",
    retry: "No. Send the header.",
    toDo: ["Send `Content-Type: application/json`. A `charset` behind it does no harm; the body is UTF-8 in any case."],
  },
  validation_failed: {
    happened:
      "The body can be read, and a field, a query value or a header is missing or wrong. `errors` has a line for each, with the limit in its `message`; at most 20, so more may follow. Nothing was changed. A terminal's report of money that is refused is kept for an operator all the same.",
    retry: "Yes, corrected. The `sessionID` of a refused payment request is not used up.",
    toDo: [
      "Read `errors`: `field` is the path in the body, `code` is one of those below, `message` continues the sentence “the field …”.",
      "Amounts are numbers in the major unit (`125.5`), not texts and not cents, with no more decimals than the currency has.",
      "Identifiers look like UUIDs. A field that is `null` counts as missing.",
    ],
  },
  rate_limited: {
    happened:
      "Too many calls came in a minute from this key or address, too many wrong passwords, or too many vouchers for one mail address. This call did nothing.",
    retry:
      "Yes: the same request, after the seconds in `Retry-After`. Under its `sessionID`, `refundID` or `reportID` it is safe.",
    toDo: [
      "Wait for `Retry-After`, and add some chance to it where many machines wait.",
      "Do not poll a payment each second: give a `responseWebhookUrl`, or poll with growing pauses. A terminal polls with `wait`, and not in a circle.",
      "At `landing-page-request`: a mail address gets at most five vouchers an hour, and ten wrong passwords close an address for a minute.",
    ],
  },
  internal_error: {
    happened: "The platform made a mistake. Whether the request took effect is not known from this answer.",
    retry:
      "Yes: the same request under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often it is sent. A new name could charge a card twice.",
    toDo: [
      "Repeat with growing pauses: 1 s, 2 s, 4 s, up to a minute.",
      "If it stays, tell us the `requestID`: it leads to the line in our log. Read the payment (`GET /pos-payment/{session_id}`) before you tell a customer anything.",
    ],
  },
  cursor_expired: {
    happened:
      "The events after this cursor are no longer kept, or the feed never gave this cursor. Events stay for 35 days. Nothing was skipped silently: that is why this is an error.",
    retry: "No. The same cursor gets the same answer.",
    toDo: [
      "Call again without `after`: the feed begins with the oldest event that is kept.",
      "Events older than that are missing at your side: read the payments of those days by `GET /pos-payments`.",
      "Have an alarm for a reader that stands still: it has weeks before this happens.",
    ],
  },
  dependency_unavailable: {
    happened:
      "A part of the platform does not answer now: it starts, restarts or is overloaded. Whether the request took effect is not known from this answer.",
    retry:
      "Yes: the same request, after the seconds in `Retry-After`, under the same `sessionID`, `refundID`, `discountID` or `reportID`. It takes effect once, however often it is sent.",
    toDo: [
      "Repeat with growing pauses, and keep the name. A new name could charge a card twice.",
      "Meanwhile tell the cashier that the outcome is not known yet, and not that the payment failed.",
      "`GET /probes/health` tells whether the platform takes requests; it needs no key.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode | "not_found", PageWords>>;
