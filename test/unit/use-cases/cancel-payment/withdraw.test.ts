import { describe, expect, it } from "vitest";
import { cancelPayment } from "../../../../shared/use-cases/payments/cancel-payment.ts";
import { requestPayment } from "../../../../shared/use-cases/payments/request-payment.ts";
import { fetchNext } from "../../../support/a-payment.ts";
import { fc } from "../../../support/drawn.ts";
import { aPlatform, aRequest, callBy, partnerId, terminalId, type Platform } from "../../../support/platform.ts";
import { rowsInTurn } from "../../../support/rows-in-turn.ts";

/** What withdraws a payment, the result if the terminal never gets it, and the later message if it does. */
interface Withdrawal {
  readonly status: string;
  readonly statusReason: string;
  readonly next: string;
  readonly act: (platform: Platform, sessionId: string) => Promise<unknown>;
}

const ACCEPTANCE_MS = 30_000;

/** Takes the announcements of this effect from the queues. */
const taken = ({ queued }: Platform, effect: string) => {
  const found = queued.filter(({ announcement }) => announcement.effect === effect);
  for (const one of found) queued.splice(queued.indexOf(one), 1);
  return found;
};

const withdrawals: Readonly<Record<string, Withdrawal>> = {
  "its partner's cancel": {
    status: "cancelled",
    statusReason: "cancelledByPartner",
    next: "cancel",
    act: ({ deps }, sessionId) => cancelPayment(deps, callBy(deps), { sessionId, terminalId }),
  },
  "the deadline of its acceptance": {
    status: "expired",
    statusReason: "terminalUnreachable",
    next: "statusQuery",
    async act(platform) {
      for (const look of taken(platform, "look")) await platform.handle(look);
    },
  },
};

describe.each(Object.entries(withdrawals))("a payment that is fetched while %s comes", (_, withdrawal) => {
  const { status, statusReason, next, act } = withdrawal;

  it("is withdrawn and never reaches its terminal, or reaches it and is not withdrawn, in any order of the table calls", async () => {
    const seen = new Set<string>();
    const released = fc.constantFrom("before", "meanwhile");
    await fc.assert(fc.asyncProperty(fc.scheduler(), released, fc.integer({ min: 1, max: 2 }), run), { numRuns: 120 });
    expect(seen).toEqual(new Set(["fetched", "withdrawn"]));

    async function run(scheduler: fc.Scheduler, release: string, polls: number) {
      const { open, race } = rowsInTurn((call) => scheduler.schedule(Promise.resolve()).then(call));
      const platform = await aPlatform({ open });
      const { deps } = platform;
      const { sessionId, ...request } = aRequest();
      await requestPayment(deps, callBy(deps), { sessionId, ...request });
      const [message] = taken(platform, "message");
      if (!message) throw new Error("no message was announced");
      if (release === "before") await platform.handle(message);
      await deps.clock.sleep(ACCEPTANCE_MS);
      race(true);
      const fetches = Array.from({ length: polls }, () => fetchNext(platform));
      const others = [act(platform, sessionId), ...(release === "before" ? [] : [platform.handle(message)])];
      const [got] = await scheduler.waitFor(Promise.all([Promise.all(fetches), Promise.all(others)]));
      race(false);
      await platform.pass();
      const types = got.map((one) => one?.message.type);
      const isFetched = types.includes("payment");
      seen.add(isFetched ? "fetched" : "withdrawn");
      const stored = await deps.payments.find({ partnerId, terminalId, sessionId });
      if (isFetched) {
        expect(stored?.payment).not.toMatchObject({ status });
        expect(types.filter((type) => type === "payment")).toHaveLength(1);
        expect([...types, (await fetchNext(platform))?.message.type]).toContain(next);
      } else {
        expect(stored?.payment).toMatchObject({ status, statusReason });
        expect(await fetchNext(platform)).toBeUndefined();
        expect(await deps.inboxes.unanswered(terminalId)).toEqual([]);
      }
    }
  });

  it("is withdrawn before its worker released it, and the worker then hands out nothing", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const { sessionId, ...request } = aRequest();
    await requestPayment(deps, callBy(deps), { sessionId, ...request });
    const messages = taken(platform, "message");
    await deps.clock.sleep(ACCEPTANCE_MS);
    await act(platform, sessionId);
    const stored = await deps.payments.find({ partnerId, terminalId, sessionId });
    expect(stored?.payment).toMatchObject({ status, statusReason });
    for (const message of messages) await platform.handle(message);
    await platform.pass();
    expect(await fetchNext(platform)).toBeUndefined();
    expect(await deps.inboxes.unanswered(terminalId)).toEqual([]);
  });
});
