import type { PaymentKey } from "../../ports/subjects.ts";
import type { StoredPayment, Tombstone } from "../../stores/payments.ts";
import type { Needs } from "../needs.ts";

export type FindSessionDeps = Needs<"payments" | "sessions">;

/**
 * The payment of a session whose terminal the caller does not know, or did not find there. A session has one terminal at a time, so this is
 * its only payment. Undefined if the session was never requested.
 */
export async function findSession(
  { payments, sessions }: FindSessionDeps,
  name: Pick<PaymentKey, "partnerId" | "sessionId">,
): Promise<StoredPayment | Tombstone | undefined> {
  const session = await sessions.find(name);
  return session && payments.findOrTombstone({ ...name, terminalId: session.terminalId });
}
