import { describe, expect, it } from "vitest";
import { leaseNextMessage } from "../../../shared/use-cases/terminals/lease-next-message.ts";
import { aPayment } from "../../support/a-payment.ts";
import { terminalId, type aPlatform } from "../../support/platform.ts";

type Platform = Awaited<ReturnType<typeof aPlatform>>;

/** Begins a poll of twenty seconds that wakes when it is told to, and not before. */
async function aWaitingPoll({ deps }: Platform, of = terminalId) {
  const asleep = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const sleep = async () => {
    asleep.resolve();
    await woken.promise;
    await deps.clock.sleep(1_000);
  };
  const caller = await deps.terminals.find(of);
  if (!caller) throw new Error("the terminal is gone");
  const answer = leaseNextMessage({ ...deps, clock: { now: deps.clock.now, sleep } }, { caller }, 20);
  await Promise.race([asleep.promise, answer]);
  return { answer, wake: woken.resolve };
}

describe("a terminal that asks anew while a poll of its waits", () => {
  it("ends the older one, which takes no message any more", async () => {
    const payment = await aPayment();
    await payment.fetch();
    const older = await aWaitingPoll(payment.platform);
    const newer = await aWaitingPoll(payment.platform);
    await payment.cancel();
    await payment.platform.pass();
    older.wake();
    expect(await older.answer).toBeUndefined();
    newer.wake();
    expect((await newer.answer)?.message.type).toBe("cancel");
  });

  it("ends no poll that began later, nor one of another terminal", async () => {
    const { platform } = await aPayment();
    const polls = platform.deps.polls;
    const [first, others] = [polls.begin("a"), polls.begin("b")];
    const second = polls.begin("a");
    first.end();
    expect([first, second, others].map((poll) => poll.isOvertaken())).toEqual([true, false, false]);
  });
});
