import type { Day } from "../../../domain/time.ts";
import type { Listings } from "../../../stores/listings.ts";
import type { Partners } from "../../../stores/partners.ts";
import type { Payments, RecordedEntry } from "../../../stores/payments.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import { eachOf } from "../../each-of.ts";

export interface FindBySessionDeps {
  readonly partners: Pick<Partners, "list">;
  readonly payments: Pick<Payments, "findOrTombstone">;
}

export interface FindByRequestDeps {
  readonly listings: Pick<Listings, "ofDay">;
  readonly payments: Pick<Payments, "history">;
}

/** A payment that was found by a name. */
export interface NamedPayment {
  readonly key: PaymentKey;
  /** The change that the named request made; undefined if the name is that of a session. */
  readonly change: RecordedEntry | undefined;
}

/**
 * The payments of the session with this name, whenever they were requested. A session that was cancelled before its request counts too. Two
 * partners may use the same name, so there may be several payments. Makes one call, and one for each partner. Throws `Unavailable`.
 */
export async function paymentsOfSession(
  { partners, payments }: FindBySessionDeps,
  name: string,
): Promise<readonly NamedPayment[]> {
  const sessionId = name.toLowerCase();
  const keys = (await partners.list()).map((partnerId) => ({ partnerId, sessionId }));
  const found = await eachOf(keys, async (key) => (await payments.findOrTombstone(key)) && { key, change: undefined });
  return found.filter((one) => one !== undefined);
}

/**
 * The payments that a request changed on one of these UTC days. There is one, unless the gateway gave two requests the same name.
 *
 * A request is stored only with the change that it made, because an index would cost each request another table call. So the lists of the
 * days are read, in the given order. Then the histories of the listed payments are read, sixteen at a time, until one names the request.
 * This makes 16 calls a day, and at most one call for each payment of those days. A request that changed nothing (it was refused, replayed,
 * or only read) is not found. Throws `Unavailable`.
 *
 * @param days the days to search, each of them once; the request's own day first makes the fewest calls
 */
export async function paymentsChangedBy(
  deps: FindByRequestDeps,
  requestId: string,
  days: readonly Day[],
): Promise<readonly NamedPayment[]> {
  const read = new Set<string>();
  for (const day of days) {
    const subjects = await deps.listings.ofDay(day, "payment");
    const keys = subjects.filter((subject) => subject.kind === "payment").filter((key) => isFirst(read, key));
    const found = await changedBy(deps, requestId, keys);
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether the payment has not been read yet. A payment may have changed on several days. */
function isFirst(read: Set<string>, { partnerId, sessionId }: PaymentKey): boolean {
  const name = `${partnerId} ${sessionId}`;
  const { size } = read;
  return read.add(name).size > size;
}

/** The payments among these that the request changed. Stops after the first batch of sixteen that contains such a payment. */
async function changedBy(
  { payments }: FindByRequestDeps,
  requestId: string,
  keys: readonly PaymentKey[],
): Promise<readonly NamedPayment[]> {
  const found = await eachOf(
    keys,
    async ({ partnerId, sessionId }) => {
      const key = { partnerId, sessionId };
      const change = (await payments.history(key)).find((entry) => entry.requestId === requestId);
      return change && { key, change };
    },
    (one) => one !== undefined,
  );
  return found.filter((one) => one !== undefined);
}
