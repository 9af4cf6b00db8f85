import type { Instant } from "../../../shared/domain/time.ts";
import {
  listPayments,
  type ListedPage,
  type ListPaymentsDeps,
} from "../../../shared/use-cases/payments/list-payments.ts";
import { callOf } from "../../support/calls.ts";
import type { Platform } from "../platform/platform.ts";
import { DAY, HOUR, instantAt, MINUTE, msAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Plan } from "./plan.ts";

/** Covers every payment of a world, including those with clocks that are wrong by an hour. */
const range = { from: instantAt(-2 * HOUR), before: instantAt(30 * DAY) };

/**
 * If a commit comes later than this after its payment's `createdAt`, a concurrent reader may miss the payment. The list's own limit is 60
 * s. The rest is the longest time between two checks of the committed payments.
 */
const TIMELY = 40 * SECOND;

interface Reading {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly now: Instant;
}

/** One page of a partner's list of all its payments. A reader that follows `next` is never refused. */
export async function readList(
  world: World,
  deps: ListPaymentsDeps,
  partnerId: string,
  { limit, cursor, now }: Reading,
): Promise<ListedPage> {
  const call = callOf({ clock: { now: () => now }, newId: world.newId }, { partnerId, keyId: "list" });
  const page = await listPayments(deps, call, { range }, { limit, after: cursor });
  if (page.ok) return page.value;
  world.violate("a reader of the list was refused", `${partnerId} ${page.error.code}`);
  return { payments: [], next: undefined };
}

/**
 * Reads partners' lists page by page while payments are requested, with slow calls. No payment is on two pages. If the clocks are right, a
 * payment that was committed before the last page is on one of them. After the first page this holds only for timely commits. The readers
 * call tables without faults, at times of their own, so that they do not change the world.
 */
export function startListReaders(
  world: World,
  { ports }: Platform,
  { partnerIds, plans }: { readonly partnerIds: readonly string[]; readonly plans: readonly Plan[] },
): void {
  const { agenda, faultPlan } = world;
  const fate = world.fateOf("readers of lists");
  const pause = () => agenda.sleep(fate.between(0, fate.pick(20, SECOND, 3 * SECOND)));
  const deps: ListPaymentsDeps = {
    sessions: {
      async list(...given) {
        const entries = await ports.sessions.list(...given);
        await pause();
        return entries;
      },
    },
    payments: ports.payments,
  };

  /** Records the committed payments, each with the time of the first check that found it. */
  async function look(partnerId: string, seen: Map<string, number>): Promise<void> {
    for (const plan of plans.filter((one) => one.partnerId === partnerId))
      if (!seen.has(plan.sessionId) && (await ports.payments.find(plan))) seen.set(plan.sessionId, agenda.now());
  }

  async function walk(partnerId: string): Promise<void> {
    const committed = new Map<string, number>();
    const begun = agenda.now();
    const shown: string[] = [];
    const limit = fate.pick(1, 1, 2);
    let cursor: string | undefined;
    do {
      await look(partnerId, committed);
      const page = await readList(world, deps, partnerId, { limit, cursor, now: instantAt(agenda.now()) });
      for (const { sessionId } of page.payments) {
        if (shown.includes(sessionId))
          world.violate("a payment is on two pages of a list", `${partnerId} ${sessionId}`);
        shown.push(sessionId);
      }
      cursor = page.next;
      if (cursor !== undefined) await agenda.sleep(fate.between(0, 10 * SECOND));
    } while (cursor !== undefined);
    if (faultPlan.wrongestClock > 0) return;
    for (const [sessionId, at] of committed) {
      const plan = plans.find((one) => one.partnerId === partnerId && one.sessionId === sessionId);
      const payment = plan && (await ports.payments.find(plan))?.payment;
      const isDue = payment && (at === begun || at - msAt(payment.createdAt) <= TIMELY);
      if (isDue && !shown.includes(sessionId))
        world.violate("a list leaves out a payment", `${partnerId} ${sessionId}, committed ${at}, read from ${begun}`);
    }
  }

  for (const partnerId of partnerIds)
    for (let walks = 8; walks > 0; walks--)
      agenda.after(fate.between(0, fate.pick(SECOND, MINUTE, 8 * MINUTE)), () => void walk(partnerId));
}
