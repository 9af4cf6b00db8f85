import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of terminals, action requests, landing pages and vouchers. */
export const ofTerminalsAndVouchers = {
  terminal_not_found: {
    happened:
      "There is no terminal with this `pointOfServiceID` that your key reaches. A terminal of another partner, or one to which the key is not bound, gets the same response. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Compare `pointOfServiceID` with what the operator gave you, and the environment with that of the key.",
      "Ask the operator whether the key is bound to certain terminals.",
    ],
  },
  terminal_busy: {
    happened:
      "Another payment is at the terminal. A terminal does one at a time, and requests are not queued. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, after the seconds in `Retry-After`, for as long as the cashier waits.",
    toDo: [
      "`GET /pointOfServices/{point_of_service_id}/pos-status` shows the session there if it is yours (`activeSessionID`).",
      "If it is left over from an earlier try, cancel it with `pos-payment-cancel` and wait for its end.",
      "If it is `reconciling`, the platform is finding out its outcome. Use another terminal meanwhile.",
    ],
  },
  terminal_offline: {
    happened: "The terminal has not been heard from for 45 seconds. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, when the terminal is online. Trying every few seconds is enough.",
    toDo: [
      "Look at the terminal: power, network, and whether its payment application runs.",
      "`GET /pointOfServices/{point_of_service_id}/pos-status` says whether it is online, and when it was last seen (`lastSeenAt`).",
      "Captures, cancels and refunds are accepted while it is offline, and carried out when it comes back.",
    ],
  },
  terminal_unavailable: {
    happened:
      "The terminal is set to take no payments now. `detail` says why: `closed`, `maintenance`, `cleaning`, `booked`, `occupied`, or out of service. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, when somebody has set the terminal to `available`. It does not come back by itself.",
    toDo: [
      "If that is yours to decide, set it to `available` with `PATCH /set-pos-status`. If not, use another terminal.",
      "A terminal that is out of service for good stays so: ask the operator.",
    ],
  },
  action_request_not_found: {
    happened:
      "There is no action request with this identifier that your key reaches. If the response names none, no action request waits that this key has read. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Send the `actionRequestID` of the webhook.",
      "To respond without an identifier, first read the request with the same key (`GET /action-request/{action_request_id}`).",
    ],
  },
  ambiguous_target: {
    happened:
      "The response could be for several waiting action requests. It was given to none: a wrong gate must not open.",
    retry: "Yes, with `actionRequestID`.",
    toDo: ["Name the action request. Each webhook about one has its identifier."],
  },
  landing_page_not_found: {
    happened:
      "There is no landing page with this identifier. The first request for a page makes it, unless its template leaves that to the operator.",
    retry: "Only after a `landing-page-request` for this page was accepted.",
    toDo: ["Compare the identifier with the `landingPageID` of that request, or with the page that the operator made."],
  },
  landing_page_conflict: {
    happened: "The landing page is for another product or template than the request names. No voucher was issued.",
    retry: "No.",
    toDo: [
      "Send the `productID` and `templateAccessTokenID` of the page's first request, or a new `landingPageID` for the new offer.",
    ],
  },
  landing_page_unavailable: {
    happened:
      "The landing page takes no requests now. It was disabled, its template has ended or is stopped, or a limit of vouchers is reached. `detail` says which. No voucher was issued.",
    retry: "No. After a limit of the day, tomorrow (UTC).",
    toDo: ["Tell the customer that the offer is over. If it should not be, ask the operator."],
  },
  access_token_template_not_found: {
    happened:
      "There is no template with this `templateAccessTokenID` for your Basic user. No page was made, and no voucher was issued.",
    retry: "No.",
    toDo: [
      "Compare the identifier with the one that the operator gave you: `admin template list` shows them. Each environment has its own.",
    ],
  },
  voucher_not_found: {
    happened:
      "The payment's merchant has no voucher with this code. The code of a key is not a voucher's. The payment is unchanged.",
    retry: "No. Do not guess codes.",
    toDo: [
      "Scan the code again, or have the customer read it aloud. A mistyped code mostly gets `validation_failed`.",
      "Check that it was issued for this merchant.",
    ],
  },
  voucher_unavailable: {
    happened:
      "The voucher exists but cannot be spent now: it is spent, reserved by another payment, revoked, expired, or takes nothing off. `detail` says which. The payment is unchanged.",
    retry: "Only if it is reserved: the other payment releases it when it ends without money.",
    toDo: [
      "Read `detail` out to the customer, and take the payment without the voucher.",
      "If an earlier try of the same sale reserved it, cancel that payment and wait for its end.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
