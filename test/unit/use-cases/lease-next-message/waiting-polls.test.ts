import { describe, expect, it } from "vitest";
import type { Refusal } from "../../../../shared/domain/refusal.ts";
import { after, msBetween, type Instant } from "../../../../shared/domain/time.ts";
import { localBells } from "../../../../shared/use-cases/bells/local-bells.ts";
import { requestPayment } from "../../../../shared/use-cases/payments/request-payment.ts";
import { leaseNextMessage } from "../../../../shared/use-cases/terminals/lease-next-message.ts";
import { newestPolls } from "../../../../shared/use-cases/bells/newest-polls.ts";
import { aPayment, leased } from "../../../support/a-payment.ts";
import { aPlatform, aRequest, aTerminal, callBy, terminalId } from "../../../support/platform.ts";
import { standingClock } from "../../../support/standing-clock.ts";

const caller = { terminal: aTerminal() };
const message = {
  slot: { createdAt: "2026-11-21T10:00:00.000Z", sessionId: "s1", sequence: 1 },
  messageId: "m1",
  sessionIdAsReceived: "s1",
  message: { type: "cancel" as const },
};
const other = { terminal: aTerminal({ terminalId: "cccccccc-0000-4000-8000-000000000002" }) };

/** Polls on a clock that stands still, with bells that the test rings. Their reads and writes are counted. */
async function aHost(platform: Pick<Awaited<ReturnType<typeof aPlatform>>, "deps">, mostPolls = Infinity) {
  const { deps } = platform;
  const clock = standingClock(deps.clock.now());
  const looks: Instant[] = [];
  const beats: Instant[] = [];
  const claims: Instant[] = [];
  const host = {
    ...deps,
    clock,
    bells: localBells(),
    polls: newestPolls({ mostPolls, random: () => 0.99 }),
    inboxes: { ...deps.inboxes, unanswered: (id: string) => (looks.push(clock.now()), deps.inboxes.unanswered(id)) },
    terminals: {
      ...deps.terminals,
      seen: (id: string, at: Instant) => (beats.push(at), deps.terminals.seen(id, at)),
      findClaim: (id: string) => (claims.push(clock.now()), deps.terminals.findClaim(id)),
    },
  };
  return {
    ...host,
    looks,
    beats,
    claims,
    /** Begins a poll, and resolves once it waits. */
    async poll(seconds = 55, by = caller) {
      let ended: { readonly got: string | undefined } | Refusal<"rate_limited"> | undefined;
      void leaseNextMessage(host, { caller: by }, seconds, {}).then(
        (answer) => (ended = answer.ok ? { got: answer.value?.messageId } : answer.error),
      );
      await clock.pass(0);
      return () => ended;
    },
  };
}

describe("a poll that waits", () => {
  it("returns a message at once when its bell rings", async () => {
    const host = await aHost(await aPlatform());
    const ended = await host.poll();
    await host.clock.pass(3_000);
    await host.inboxes.file(terminalId, message);
    expect(ended()).toBeUndefined();
    host.bells.ring(terminalId);
    await host.clock.pass(0);
    expect(ended()).toEqual({ got: "m1" });
    expect(host.bells.isDeaf()).toBe(true);
  });

  it("does not read its inbox when another terminal's bell rings", async () => {
    const host = await aHost(await aPlatform());
    await host.poll();
    const [, theirs] = [await host.poll(), await host.poll(55, other)];
    const before = host.looks.length;
    await host.inboxes.file(other.terminal.terminalId, message);
    host.bells.ring(other.terminal.terminalId);
    await host.clock.pass(0);
    expect(theirs()).toEqual({ got: "m1" });
    expect(host.looks.length - before).toBe(1);
  });

  it("returns a message within ten seconds although its bell was lost", async () => {
    const host = await aHost(await aPlatform());
    const ended = await host.poll();
    await host.clock.pass(1);
    await host.inboxes.file(terminalId, message);
    await host.clock.pass(9_998);
    expect(ended()).toBeUndefined();
    await host.clock.pass(1);
    expect(ended()).toEqual({ got: "m1" });
  });

  it("returns it within five seconds although its bell was lost, while a person pays, and reads little meanwhile", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    const host = await aHost(payment.platform);
    const ended = await host.poll();
    await host.clock.pass(20_000);
    expect(host.looks).toHaveLength(5);
    expect(host.claims).toHaveLength(1);
    await host.inboxes.file(terminalId, message);
    await host.clock.pass(5_000);
    expect(ended()).toEqual({ got: "m1" });
  });

  it("returns it within two seconds even if the payment came while it waited, and another process delivered it", async () => {
    const platform = await aPlatform();
    const host = await aHost(platform);
    const ended = await host.poll();
    await host.clock.pass(5_000);
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    await platform.pass(); // rings in the other process only
    const leased = async () => {
      const [row] = await host.inboxes.unanswered(terminalId);
      if (!row) throw new Error("no message");
      return row;
    };
    await host.inboxes.lease(terminalId, await leased(), after(host.clock.now(), 10));
    await host.clock.pass(5_500);
    const { slot } = await leased();
    await host.inboxes.remove(terminalId, [await leased()]);
    await host.clock.pass(1_000);
    await host.inboxes.file(terminalId, { ...message, slot: { ...slot, sequence: 2 }, messageId: "m2" });
    await host.clock.pass(2_000);
    expect(ended()).toEqual({ got: "m2" });
  });

  it("returns a message that an earlier poll leased within a second after the lease", async () => {
    const host = await aHost(await aPlatform());
    await host.inboxes.file(terminalId, message);
    await host.poll();
    const ended = await host.poll();
    await host.clock.pass(10_999);
    expect(ended()).toEqual({ got: "m1" });
  });

  it("notices a bell that rings while it reads", async () => {
    const host = await aHost(await aPlatform());
    const { inboxes, bells } = host;
    let isFirst = true;
    const late = async (id: string) => {
      const rows = await inboxes.unanswered(id);
      if (isFirst) {
        isFirst = false;
        await inboxes.file(terminalId, message);
        bells.ring(terminalId);
      }
      return rows;
    };
    const answer = leaseNextMessage({ ...host, inboxes: { ...inboxes, unanswered: late } }, { caller }, 55, {});
    await host.clock.pass(0);
    expect((await leased(answer))?.messageId).toBe("m1");
  });

  it("ends without a message after its time, and reads at most once in ten seconds until then", async () => {
    const host = await aHost(await aPlatform());
    const ended = await host.poll();
    await host.clock.pass(54_999);
    expect(ended()).toBeUndefined();
    await host.clock.pass(1);
    expect(ended()).toEqual({ got: undefined });
    expect(host.looks).toHaveLength(6);
    expect(host.claims).toHaveLength(1);
  });

  it("reads at most once in ten seconds after its terminal's payment has ended, although the claim stays", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    await payment.sendReport("declined");
    const host = await aHost(payment.platform);
    expect(await host.terminals.findClaim(terminalId)).toBeDefined();
    await host.poll();
    await host.clock.pass(54_999);
    expect(host.looks).toHaveLength(6);
  });

  it("reads again soon after the clock was set back", async () => {
    const host = await aHost(await aPlatform());
    let back = 0;
    const clock = { now: () => after(host.clock.now(), -back), sleep: host.clock.sleep };
    const answer = leaseNextMessage({ ...host, clock }, { caller }, 55, {});
    await host.clock.pass(1_000);
    await host.inboxes.file(terminalId, message);
    back = 3_600;
    await host.clock.pass(10_000);
    expect((await leased(answer))?.messageId).toBe("m1");
  });

  it("is refused above the limit of its process, but not before it has read its inbox", async () => {
    const host = await aHost(await aPlatform(), 1);
    const first = await host.poll();
    await host.inboxes.file(other.terminal.terminalId, message);
    expect((await host.poll(55, other))()).toEqual({ got: "m1" });
    expect((await host.poll(55, other))()).toEqual({ code: "rate_limited", retryAfterSeconds: 15 });
    expect(host.beats).toHaveLength(2);
    expect((await host.poll(0, other))()).toEqual({ got: undefined });
    const again = await host.poll(); // the terminal has given up its first poll
    expect([first(), again()]).toEqual([{ got: undefined }, undefined]);
  });

  it("goes on waiting while newer polls are above the limit of its process", async () => {
    const host = await aHost(await aPlatform(), 1);
    const ended = await host.poll();
    host.polls.begin(other.terminal.terminalId);
    await host.clock.pass(20_000);
    expect(host.looks.length).toBeGreaterThan(1);
    expect(ended()).toBeUndefined();
  });

  it("writes the heartbeat every thirty seconds, so that its terminal stays online", async () => {
    const host = await aHost(await aPlatform());
    const began = host.clock.now();
    for (let polls = 0; polls < 4; polls++) {
      await host.poll();
      await host.clock.pass(55_000);
    }
    const gaps = [...host.beats, host.clock.now()].map((at, i) =>
      msBetween(i === 0 ? began : (host.beats[i - 1] ?? at), at),
    );
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
    expect(host.beats).toHaveLength(8);
  });

  it("returns at once when its process is about to end, and so do later ones", async () => {
    const host = await aHost(await aPlatform());
    const [ended, others] = [await host.poll(), await host.poll(55, other)];
    host.polls.stop();
    await host.clock.pass(0);
    expect([ended(), others()]).toEqual([{ got: undefined }, { got: undefined }]);
    expect((await host.poll())()).toEqual({ got: undefined });
  });
});

describe("a terminal's new poll while an earlier one waits", () => {
  it("ends the earlier one at once, which takes no more messages", async () => {
    const host = await aHost(await aPlatform());
    const older = await host.poll();
    const newer = await host.poll();
    expect(older()).toEqual({ got: undefined });
    await host.inboxes.file(terminalId, message);
    host.bells.ring(terminalId);
    await host.clock.pass(0);
    expect(newer()).toEqual({ got: "m1" });
  });

  it("ends neither a later poll nor one of another terminal", async () => {
    const { polls } = await aHost(await aPlatform());
    const [first, others] = [polls.begin("a"), polls.begin("b")];
    const second = polls.begin("a");
    first.end();
    expect([first, second, others].map((poll) => poll.isOver())).toEqual([true, false, false]);
  });
});
