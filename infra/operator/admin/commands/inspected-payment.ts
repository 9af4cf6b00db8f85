import type { PaymentKey } from "../../../../shared/ports/subjects.ts";
import {
  inspectPayment,
  type InspectedPayment,
  type InspectPaymentDeps,
} from "../../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { operatorCall } from "../../common/platform.ts";

/** The payment with all its data in the tables. Throws an error for the operator if there is no payment. */
export async function inspectedPayment(deps: InspectPaymentDeps, key: PaymentKey): Promise<InspectedPayment> {
  const found = await inspectPayment(deps, operatorCall(), key);
  if (found === undefined) throw new Error("There is no such payment.");
  if (found === "tombstone")
    throw new Error(
      "The partner cancelled this session before it requested the payment. There is no payment, and there never will be.",
    );
  if (found === "unreadable")
    throw new Error(
      "A restore could not read this payment, and left it out. `alert show` with its session has what is known of it.",
    );
  return found;
}
