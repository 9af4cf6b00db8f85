import type { Refusal } from "../../refusal.ts";
import { isOnline, type Claim, type Terminal } from "../../terminal.ts";
import type { Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import type { PaymentRequest } from "./create-payment.ts";

/** The terminal that a request names, as one query returns it. */
export interface RequestedTerminal {
  readonly terminal: Terminal;
  readonly lastSeenAt: Instant | undefined;
}

/**
 * Why the request cannot use the terminal. The terminal must be the partner's and the merchant's, take payments, and be online. Undefined
 * if the request can use it.
 */
export function refuseTerminal(
  request: PaymentRequest,
  partnerId: string,
  { terminal, lastSeenAt }: RequestedTerminal,
  { now, timings }: { readonly now: Instant; readonly timings: Timings },
): Refusal<"terminal_not_found" | "merchant_mismatch" | "terminal_unavailable" | "terminal_offline"> | undefined {
  if (terminal.partnerId !== partnerId) return { code: "terminal_not_found" };
  if (terminal.merchantId !== request.merchantId) {
    return { code: "merchant_mismatch", detail: `The terminal belongs to the merchant ${terminal.merchantId}.` };
  }
  if (terminal.status !== "available") {
    return { code: "terminal_unavailable", detail: `The terminal is set to ${terminal.status}.` };
  }
  return isOnline(lastSeenAt, now, timings) ? undefined : { code: "terminal_offline" };
}

/** The refusal if a payment holds the terminal, which takes one payment at a time. A terminal's payments are all of its partner. */
export const refuseBusy = ({ holder }: Claim): Refusal<"terminal_busy"> | undefined =>
  holder && { code: "terminal_busy", retryAfterSeconds: 5, sessionId: holder.asReceived };
