import { shownMoney } from "../../money.ts";
import type { Payment } from "../record/payment.ts";

/** Why a request is refused while a charge is contradicted. */
export const contradictedText = (requests: "Refunds" | "Captures" | "Cancels"): string =>
  `The terminal reported a void of a charge that nobody requested. ${requests} are refused until an operator decides.`;

/** The refusal after a capture that nobody requested, in minor units, with its remedy. No partner captures more than was authorized. */
export const unrequestedText = (
  { amounts, currency }: Pick<Payment, "amounts" | "currency">,
  captured: number,
  remedy: "Capture this amount." | "Capture this amount, then refund it.",
): string =>
  `The terminal has captured ${shownMoney(captured, currency)} without a request${
    captured > amounts.authorized ? ", which is more than was authorized. An operator must decide." : `. ${remedy}`
  }`;
