import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of terminals, action requests, landing pages and vouchers. */
export const ofTerminalsAndVouchers = {
  terminal_not_found: {
    happened:
      "There is no terminal with this `pointOfServiceID`, or your key has no access to it. A key has access only to its partner's terminals, and may be limited to some of them. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Compare `pointOfServiceID` with the value from the operator, and the environment with that of the key.",
      "Ask the operator whether the key is limited to some terminals.",
    ],
  },
  terminal_busy: {
    happened:
      "Another payment is running on the terminal. A terminal runs one payment at a time, and requests are not queued. No payment was made.",
    always: ["Retry-After", "sessionID"],
    retry:
      "Yes: the same request with the same `sessionID`, after the seconds in `Retry-After`. Retry as long as the cashier waits.",
    toDo: [
      "The problem's `sessionID` names the running session.",
      "If that payment is left over from an earlier attempt, cancel it with `pos-payment-cancel` and wait for its end.",
      "If that payment is `reconciling`, its outcome is not known yet. Use another terminal meanwhile.",
    ],
  },
  terminal_offline: {
    happened: "The terminal has not polled for 45 seconds. No payment was made.",
    retry:
      "Yes: the same request with the same `sessionID`, when the terminal is online. A retry every few seconds is enough.",
    toDo: [
      "Check the terminal's power and network, and whether its payment application runs.",
      "`GET /pointOfServices/{point_of_service_id}/pos-status` says whether it is online, and when it was last seen (`lastSeenAt`).",
      "Captures, cancels and refunds are accepted while it is offline. A capture or refund waits until its `deliverBefore`, and is carried out if the terminal is online by then.",
    ],
  },
  terminal_unavailable: {
    happened:
      "The terminal does not take payments now. `detail` says why: `closed`, `maintenance`, `cleaning`, `booked`, `occupied`, or out of service. No payment was made.",
    always: ["detail"],
    retry:
      "Yes: the same request with the same `sessionID`, after the terminal is set to `available`. This does not happen by itself.",
    toDo: [
      "If you may decide this, set it to `available` with `PATCH /set-pos-status`. If not, use another terminal.",
      "If the terminal is permanently out of service, ask the operator.",
    ],
  },
  action_request_not_found: {
    happened:
      "There is no action request with this identifier, or your key has no access to it. If you sent no identifier, this key has not read a pending action request. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Send the `actionRequestID` of the webhook.",
      "To respond without an identifier, first read the request with the same key (`GET /action-request/{action_request_id}`).",
    ],
  },
  ambiguous_target: {
    happened:
      "The response could be for several pending action requests. None of them got it: a wrong gate must not open.",
    always: ["detail"],
    retry: "Yes, with `actionRequestID`.",
    toDo: ["Name the action request. Each webhook about an action request has its identifier."],
  },
  landing_page_not_found: {
    happened:
      "There is no landing page with this identifier. The first request for a page creates it, unless only the operator may create pages of its template.",
    retry: "Only after a `landing-page-request` for this page was accepted.",
    toDo: [
      "Compare the identifier with the `landingPageID` of that request, or with the page that the operator created.",
    ],
  },
  landing_page_conflict: {
    happened: "The landing page is not for the product and template of the request. No voucher was issued.",
    retry: "No.",
    toDo: [
      "Send the `productID` and `templateAccessTokenID` of the page's first request, or a new `landingPageID` for the new offer.",
    ],
  },
  landing_page_unavailable: {
    happened:
      "The landing page does not accept requests now. It was disabled, its template has ended or is stopped, or a limit of vouchers is reached. `detail` says which. No voucher was issued.",
    always: ["detail"],
    retry: "No. If the limit of a day is reached, retry on the next day (UTC).",
    toDo: ["Tell the customer that the offer is over. If it should still run, ask the operator."],
  },
  access_token_template_not_found: {
    happened:
      "There is no template with this `templateAccessTokenID` for your Basic user. No page was created, and no voucher was issued.",
    retry: "No.",
    toDo: [
      "Compare the identifier with the one from the operator, who finds it with `admin template list`. Each environment has its own templates.",
    ],
  },
  voucher_not_found: {
    happened:
      "The payment's merchant has no voucher with this code. The code of a key does not work as a voucher. The payment is unchanged.",
    retry: "No. Do not guess codes.",
    toDo: [
      "Scan the code again, or have the customer read it aloud. A mistyped code usually gets `validation_failed`.",
      "Check that it was issued for this merchant.",
    ],
  },
  voucher_unavailable: {
    happened:
      "The voucher exists but cannot be spent now: it is spent, reserved by another payment, revoked, expired, or does not reduce the amount. `detail` says which. The payment is unchanged.",
    always: ["detail"],
    retry: "Only if it is reserved: the other payment releases it when that payment ends unpaid.",
    toDo: [
      "Read `detail` out to the customer, and take the payment without the voucher.",
      "If an earlier attempt of the same sale reserved it, cancel that payment and wait for its end.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
