import type { Day } from "../../domain/time.ts";
import type { Listings } from "../../ports/listings.ts";
import type { Payments, RecordedEntry } from "../../ports/payments.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { AT_ONCE } from "../repair/undone.ts";

export interface FindPaymentDeps {
  readonly listings: Pick<Listings, "ofDay">;
  readonly payments: Pick<Payments, "history">;
}

/** A payment that a name leads to. */
export interface NamedPayment {
  readonly key: PaymentKey;
  /** The change that the named request made; undefined where the name is the session's. */
  readonly change: RecordedEntry | undefined;
}

/**
 * The payments that a name leads to: the identifier of a session, or of a request that changed a payment on one of these UTC days. Two
 * partners may use one session's name, so there may be several.
 *
 * A request is stored with the change that it made, and nowhere else: an index would cost each request a table call more. So the lists of
 * the days are read, the first day first, and then the histories of the payments that they name, sixteen at a time, until one names the
 * request. This makes 16 calls a day, and at most one call for each payment of those days. A request that changed nothing (it was refused,
 * replayed, or only read) is not found. Throws `Unavailable`.
 *
 * @param days the days to search, each of them once; the request's own day first makes the fewest calls
 */
export async function findPayments(
  deps: FindPaymentDeps,
  name: string,
  days: readonly Day[],
): Promise<readonly NamedPayment[]> {
  const sessionId = name.toLowerCase();
  const listed = new Map<string, PaymentKey>();
  for (const day of days) {
    const keys = await paymentsListedOn(deps, day);
    const named = keys.filter((key) => key.sessionId === sessionId);
    if (named.length > 0) return named.map((key) => ({ key, change: undefined }));
    for (const key of keys) listed.set(`${key.partnerId} ${key.sessionId}`, key); // one that changed on two days is read once
  }
  return changedBy(deps, name, [...listed.values()]);
}

async function paymentsListedOn({ listings }: FindPaymentDeps, day: Day): Promise<readonly PaymentKey[]> {
  const subjects = await listings.ofDay(day, "payment");
  return subjects.flatMap((subject) =>
    subject.kind === "payment" ? [{ partnerId: subject.partnerId, sessionId: subject.sessionId }] : [],
  );
}

/** The payments among these that the request changed. Stops after the first sixteen that hold one. */
async function changedBy(
  { payments }: FindPaymentDeps,
  requestId: string,
  keys: readonly PaymentKey[],
): Promise<readonly NamedPayment[]> {
  for (let i = 0; i < keys.length; i += AT_ONCE) {
    const found = await Promise.all(
      keys.slice(i, i + AT_ONCE).map(async (key) => {
        const change = (await payments.history(key)).find((entry) => entry.requestId === requestId);
        return change && { key, change };
      }),
    );
    const named = found.filter((one) => one !== undefined);
    if (named.length > 0) return named;
  }
  return [];
}
