import type { Day } from "../../domain/time.ts";
import type { CreatedPayments } from "../../ports/created-payments.ts";
import { eachOf } from "../batches/each-of.ts";
import { createdEntryOf } from "../payments/enter-created.ts";
import { paymentsOfDay, type ListPaymentsDeps } from "./list-payments.ts";

export interface EnterCreatedDeps extends ListPaymentsDeps {
  readonly createdPayments: CreatedPayments;
}

/**
 * Enters the payments that changed on a day in their partners' lists, where a payment of a release that knew no such list is missing. An
 * entry that is there is written again, the same: it may be run at any time, and again. Returns how many payments it entered. Throws
 * `Unavailable`.
 */
export async function enterCreatedOfDay(deps: EnterCreatedDeps, day: Day): Promise<number> {
  const payments = await paymentsOfDay(deps, day);
  await eachOf(payments, (payment) => deps.createdPayments.enter(createdEntryOf(payment)));
  return payments.length;
}
