import type { Payment } from "../../../domain/payment/record/payment.ts";
import { daysBetween } from "../../../domain/retention.ts";
import { dayOf, type Day } from "../../../domain/time.ts";
import type { Marks } from "../../../stores/marks.ts";
import type { ApiKey, Partners } from "../../../stores/partners.ts";
import type { Payments, RecordedEntry } from "../../../stores/payments.ts";
import { paymentKeyOf, type PaymentKey } from "../../../ports/subjects.ts";
import type { Sessions } from "../../../stores/sessions.ts";
import { eachOf } from "../../each-of.ts";
import { allTerminals, terminalsOf, walk } from "../places.ts";

export interface FindBySessionDeps {
  readonly partners: Pick<Partners, "list">;
  readonly payments: Pick<Payments, "findOrTombstone">;
  readonly sessions: Pick<Sessions, "find">;
}

export interface FindByRequestDeps {
  readonly marks: Pick<Marks, "changedOn">;
  readonly partners: Pick<Partners, "allTerminalIds" | "list">;
  readonly payments: Pick<Payments, "history">;
}

export interface FindByKeyDeps {
  readonly marks: Pick<Marks, "changedOn">;
  readonly partners: Pick<Partners, "allTerminalIds">;
  readonly payments: Pick<Payments, "find" | "history">;
}

/** A payment that was found by a name. */
export interface NamedPayment {
  readonly key: PaymentKey;
  /** The change that the named request made; undefined if the name is that of a session. */
  readonly change: RecordedEntry | undefined;
}

/**
 * The payments of the session with this name, whenever they were requested. Two partners may use the same name, so there may be several
 * payments. Makes one call, one for each partner, and one for each payment. Throws `Unavailable`.
 */
export async function paymentsOfSession(
  { partners, payments, sessions }: FindBySessionDeps,
  name: string,
): Promise<readonly NamedPayment[]> {
  const sessionId = name.toLowerCase();
  const found = await eachOf(await partners.list(), async (partnerId) => {
    const session = await sessions.find({ partnerId, sessionId });
    const key = session && { partnerId, terminalId: session.terminalId, sessionId };
    return key && (await payments.findOrTombstone(key)) && { key, change: undefined };
  });
  return found.filter((one) => one !== undefined);
}

/**
 * The payments that a request changed on one of these UTC days. There is one, unless the gateway gave two requests the same name.
 *
 * A request is stored only with the change that it made, because an index would cost each request another table call. So the marks of the
 * days are read, in the given order. Then the histories of the marked payments are read, sixteen at a time, until one names the request.
 * This makes one call a day for each terminal, and at most one call for each payment of those days. A request that changed nothing (it was refused, replayed,
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
  const places = await allTerminals(deps);
  for (const day of days) {
    const changed = await walk(places, (place) => deps.marks.changedOn(place, "payment", day));
    const keys = changed.flat().filter((key) => isFirst(read, key));
    const found = await changedBy(deps, requestId, keys);
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether the payment has not been read yet. A payment may have changed on several days. */
function isFirst(read: Set<string>, key: PaymentKey): boolean {
  const name = JSON.stringify(paymentKeyOf(key));
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
    async (marked) => {
      const key = paymentKeyOf(marked);
      const change = (await payments.history(key)).find((entry) => entry.requestId === requestId);
      return change && { key, change };
    },
    (one) => one !== undefined,
  );
  return found.filter((one) => one !== undefined);
}

/** UTC days, including the first and the last one. */
export interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** A payment that a key changed. */
export interface ChangedByKey {
  readonly payment: Payment;
  /** The changes that the key made on the searched days, in their order. */
  readonly changes: readonly RecordedEntry[];
}

/**
 * The payments that a partner's key changed on these days, in the order of the days. `read` counts the partner's payments that changed on
 * these days, by any key or without one. Throws `Unavailable`.
 *
 * Reads the marks of one day at a time, and keeps only what it found. A payment is read on each day on which it is marked, and counts on
 * the first one with a change. So no memory of earlier days is needed. This makes one call a day for each terminal of the partner, one for
 * each mark, and one for each payment that was found.
 */
export async function paymentsChangedByKey(
  deps: FindByKeyDeps,
  { keyId, partnerId }: Pick<ApiKey, "keyId" | "partnerId">,
  { from, to }: Days,
): Promise<{ readonly read: number; readonly changed: readonly ChangedByKey[] }> {
  const { marks, payments } = deps;
  const places = await terminalsOf(deps, partnerId);
  let read = 0;
  const changed: ChangedByKey[] = [];
  for (const day of [...daysBetween(from, to), to]) {
    const marked = await walk(places, (place) => marks.changedOn(place, "payment", day));
    const found = await eachOf(marked.flat(), async (key) => {
      const history = (await payments.history(key)).filter(({ at }) => from <= dayOf(at) && dayOf(at) <= to);
      if (history.map(({ at }) => dayOf(at)).toSorted()[0] !== day) return undefined;
      read++;
      const changes = history.filter((entry) => entry.keyId === keyId);
      const payment = changes.length === 0 ? undefined : (await payments.find(key))?.payment;
      return payment && { payment, changes };
    });
    changed.push(...found.filter((one) => one !== undefined));
  }
  return { read, changed };
}
