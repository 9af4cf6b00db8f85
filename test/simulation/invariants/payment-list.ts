import { readList } from "../actors/list-readers.ts";
import type { Platform } from "../platform/platform.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Each partner's list has its payments in the order of their creation, each once, for any number of pages. */
export async function checkPaymentLists(
  world: World,
  sessions: readonly Session[],
  { platform: { ports }, partnerIds }: { readonly platform: Platform; readonly partnerIds: readonly string[] },
): Promise<void> {
  for (const partnerId of partnerIds) {
    const own = sessions.flatMap(({ payment }) => (payment?.partnerId === partnerId ? [payment] : []));
    const due = own.map(({ createdAt, sessionId }) => `${createdAt} ${sessionId}`).toSorted();
    const limit = world.fateOf(`the list of ${partnerId}`).pick(1, 2, 50);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readList(world, ports, partnerId, { limit, cursor, now: instantAt(world.end) });
      listed.push(...page.payments.map(({ createdAt, sessionId }) => `${createdAt} ${sessionId}`));
      cursor = page.next;
    } while (cursor !== undefined && listed.length <= due.length);
    if (listed.join() !== due.join())
      world.violate("a list is not its partner's payments", `${partnerId}: ${listed.join()} and ${due.join()}`);
  }
}
