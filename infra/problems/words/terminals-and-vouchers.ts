import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of terminals, action requests, landing pages and vouchers. */
export const ofTerminalsAndVouchers = {
  terminal_not_found: {
    happened:
      "There is no terminal with this `pointOfServiceID` that your key reaches. One of another partner, and one to which the key is not bound, is answered in the same way. Nothing was changed.",
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
      "`GET /pointOfServices/{point_of_service_id}/pos-status` shows the session that is there, where it is yours (`activeSessionID`).",
      "If it is left over from an earlier try, cancel it by `pos-payment-cancel`, and wait for its end.",
      "If it is `reconciling`, its outcome is being found out. Use another terminal meanwhile.",
    ],
  },
  terminal_offline: {
    happened: "The terminal has not been heard of for 45 seconds. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, once the terminal is online. Trying every few seconds is enough.",
    toDo: [
      "Look at the terminal: power, network, and whether its payment application runs.",
      "`GET /pointOfServices/{point_of_service_id}/pos-status` says when it was last seen (`lastSeenAt`) and whether it is online.",
      "Captures, cancels and refunds are taken while it is offline, and carried out when it comes back.",
    ],
  },
  terminal_unavailable: {
    happened:
      "The terminal is set to take no payments now: `closed`, `maintenance`, `cleaning`, `booked`, `occupied`, or out of service. `detail` says which. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, once somebody has set the terminal to `available`. It does not come back by itself.",
    toDo: [
      "Set it to `available` by `PATCH /set-pos-status`, if that is yours to decide. Else use another terminal.",
      "A terminal that is out of service for good stays so: ask the operator.",
    ],
  },
  action_request_not_found: {
    happened:
      "There is no action request with this identifier that your key reaches; or, for a response that names none, none waits that this key has read. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Send the `actionRequestID` of the webhook.",
      "A response without an identifier is for a request that the same key has read: read it first (`GET /action-request/{action_request_id}`).",
    ],
  },
  ambiguous_target: {
    happened:
      "Several action requests wait that the response could be for. None was answered: a wrong gate must not open.",
    retry: "Yes, with `actionRequestID`.",
    toDo: ["Name the action request. Each webhook about one has its identifier."],
  },
  landing_page_not_found: {
    happened: "There is no landing page with this identifier. A page comes to be with its first request.",
    retry: "Only after a `landing-page-request` for this page was accepted.",
    toDo: ["Compare the identifier with the `landingPageID` of that request."],
  },
  landing_page_conflict: {
    happened: "The landing page is for another product or template than the request names. No voucher was issued.",
    retry: "No.",
    toDo: [
      "Send the `productID` and `templateAccessTokenID` with which the page began, or a new `landingPageID` for the new offer.",
    ],
  },
  landing_page_unavailable: {
    happened:
      "The landing page takes no more requests: it was disabled, or its template has ended. `detail` says which. No voucher was issued.",
    retry: "No.",
    toDo: ["Tell the customer that the offer is over.", "Ask the operator, if it should not be."],
  },
  access_token_template_not_found: {
    happened: "There is no template with this `templateAccessTokenID`. No page was made, and no voucher was issued.",
    retry: "No.",
    toDo: [
      "Compare the identifier with the one that the operator gave you: `admin template list` shows them. Each environment has its own.",
    ],
  },
  voucher_not_found: {
    happened:
      "There is no voucher with this code for the payment's merchant. The code of a key is none, either. The payment is unchanged.",
    retry: "No. Codes are not to be guessed.",
    toDo: [
      "Scan the code again, or have the customer read it aloud: a mistyped one is mostly told as `validation_failed`.",
      "Check that it was issued for this merchant.",
    ],
  },
  voucher_unavailable: {
    happened:
      "The voucher exists, and cannot be spent now: it is spent, reserved by another payment, revoked, expired, or takes nothing off. `detail` says which. The payment is unchanged.",
    retry: "Only where it is reserved: the other payment releases it when it ends without money.",
    toDo: [
      "Read `detail` out to the customer, and take the payment without the voucher.",
      "If the voucher is reserved by an earlier try of the same sale, cancel that payment and wait for its end.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
