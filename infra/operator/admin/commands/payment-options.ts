import type { PaymentKey } from "../../../../shared/ports/subjects.ts";
import type { Needs } from "../../../../shared/use-cases/needs.ts";
import type { Given } from "../command.ts";
import { identifier, required } from "../words.ts";

/** The options that identify one payment. */
export const paymentOptions = [
  required("--partner <partnerID>", "the partner of the payment", identifier),
  required("--session <sessionID>", "the payment's session", identifier),
];

/** The payment that the options identify. Throws an error for the operator if the session was never requested. */
export async function paymentKey(
  { sessions }: Needs<"sessions">,
  { partner: partnerId, session: sessionId }: Given<typeof paymentOptions>,
): Promise<PaymentKey> {
  const session = await sessions.find({ partnerId, sessionId });
  if (!session) throw new Error("There is no such payment.");
  return { partnerId, terminalId: session.terminalId, sessionId };
}
