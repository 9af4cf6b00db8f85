import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import type { Announcements } from "../../../shared/ports/announcements.ts";
import type { Clock } from "../../../shared/ports/clock.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { Payments } from "../../../shared/stores/payments.ts";
import { deliver } from "../../../shared/use-cases/outbox/deliver.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { fetchNext } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import {
  aPlatform,
  aRequest,
  aTerminal,
  callBy,
  partnerId,
  terminalId,
  type Platform,
} from "../../support/platform.ts";

const inbox = (platform: Platform) => platform.deps.inboxes.unanswered(terminalId);

/** A process that dies, or loses its network, just before it commits. */
const neverCommits = (payments: Payments): Payments => ({
  ...payments,
  commit: async () => new Promise<never>(() => {}),
});

describe("an effect with its own schedule", () => {
  it("is retried by the broker's clock, however wrong the worker's is", async () => {
    const platform = await aPlatform();
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    const [queued] = platform.queued.splice(0);
    if (!queued) throw new Error("nothing was announced");
    const delivery = { ...queued, isRedelivered: false };
    const wrong: Clock = { ...platform.deps.clock, now: () => after(platform.deps.clock.now(), 3600) };
    const { announcement, enqueuedAt } = delivery;
    await deliver({ ...platform.deps, clock: wrong }, delivery, async () => {
      await wrong.sleep(1_500); // the duration of an attempt is added to the wait
      return { retryInSeconds: 5, announcement };
    });
    expect(platform.queued.map((queued) => queued.enqueuedAt)).toEqual([after(enqueuedAt, 6.5)]);
  });
});

describe("a command that was announced", () => {
  it("and never committed does nothing, and is aborted after the commit window", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    void requestPayment(
      { ...platform.deps, payments: neverCommits(platform.deps.payments) },
      callBy(platform.deps),
      request,
    );
    await new Promise((resolve) => setImmediate(resolve));

    await platform.pass(10);
    expect(platform.queued.length).toBeGreaterThan(0); // the message is still queued
    await platform.pass(120);

    expect(platform.queued).toEqual([]);
    expect(await inbox(platform)).toEqual([]);
    expect(await platform.deps.payments.find({ partnerId, ...request })).toBeUndefined();
  });

  it("and committed too late fails on its tombstone, and its request begins again", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    const outcomes: string[] = [];
    const late = Promise.withResolvers<undefined>();
    const payments: Payments = {
      ...platform.deps.payments,
      commit: async (...given) => {
        await late.promise;
        const committed = platform.deps.payments.commit(...given);
        await committed.then(
          () => outcomes.push("committed"),
          (error: unknown) => outcomes.push(String(error instanceof Conflict && "Conflict")),
        );
        return committed;
      },
    };
    const requested = requestPayment({ ...platform.deps, payments }, callBy(platform.deps), request);
    await new Promise((resolve) => setImmediate(resolve));
    await platform.pass(120);
    expect(platform.queued).toEqual([]);
    await platform.deps.terminals.seen(terminalId, platform.deps.clock.now());
    late.resolve(undefined);

    expect(await requested).toMatchObject({ ok: true, value: { replayed: false } });
    expect(outcomes).toEqual(["Conflict", "committed"]);
    await platform.pass();
    expect((await fetchNext(platform))?.message.type).toBe("payment");
  });

  it("and committed too late is refused as a new request would be, for instance at a terminal that is offline", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    const late = Promise.withResolvers<undefined>();
    const payments: Payments = {
      ...platform.deps.payments,
      commit: async (...given) => {
        await late.promise;
        return platform.deps.payments.commit(...given);
      },
    };
    const requested = requestPayment({ ...platform.deps, payments }, callBy(platform.deps), request);
    await new Promise((resolve) => setImmediate(resolve));
    await platform.pass(120);
    late.resolve(undefined);

    expect(await requested).toMatchObject({ ok: false, error: { code: "terminal_offline" } });
    expect(await platform.deps.payments.find({ partnerId, ...request })).toBeUndefined();
    expect(await inbox(platform)).toEqual([]);
  });

  it("and committed while its worker looks it up is delivered", async () => {
    const platform = await aPlatform();
    const late = Promise.withResolvers<undefined>();
    const payments: Payments = {
      ...platform.deps.payments,
      commit: async (...given) => {
        await late.promise;
        return platform.deps.payments.commit(...given);
      },
    };
    const requested = requestPayment({ ...platform.deps, payments }, callBy(platform.deps), aRequest());
    await new Promise((resolve) => setImmediate(resolve));
    await platform.pass(5);
    late.resolve(undefined);
    await requested;
    await platform.deps.terminals.seen(terminalId, platform.deps.clock.now());
    expect(await fetchNext(platform)).toBeUndefined();
    await platform.pass(20);

    expect((await fetchNext(platform))?.message.type).toBe("payment");
  });

  it("whose commit lost its response is found to be committed", async () => {
    const platform = await aPlatform();
    const payments: Payments = {
      ...platform.deps.payments,
      commit: async (...given) => {
        await platform.deps.payments.commit(...given);
        throw new Unavailable("the answer was lost");
      },
    };

    const requested = await requestPayment({ ...platform.deps, payments }, callBy(platform.deps), aRequest());

    expect(requested).toMatchObject({ ok: true, value: { replayed: false } });
  });

  it("delivered twice has one effect", async () => {
    const { platform, announced } = await anAnnouncedMessage();
    await platform.handle(announced);
    await platform.handle(announced);

    expect(await inbox(platform)).toHaveLength(1);
    expect((await fetchNext(platform))?.message.type).toBe("payment");
    expect(await fetchNext(platform)).toBeUndefined();
  });

  it("that the bus does not accept is not committed, and the caller gets 503", async () => {
    const platform = await aPlatform();
    const announcements: Announcements = {
      send: async () => {
        throw new Unavailable("the bus is away");
      },
    };
    const request = aRequest();

    await expect(requestPayment({ ...platform.deps, announcements }, callBy(platform.deps), request)).rejects.toThrow(
      Unavailable,
    );
    expect(await platform.deps.payments.find({ partnerId, ...request })).toBeUndefined();
  });
});

/** A payment whose message is committed and announced, and that no worker has released yet. */
async function anAnnouncedMessage() {
  const platform = await aPlatform();
  const request = aRequest();
  await requestPayment(platform.deps, callBy(platform.deps), request);
  const announced = platform.queued.find(({ announcement }) => announcement.effect === "message");
  if (!announced) throw new Error("no message was announced");
  platform.queued.splice(platform.queued.indexOf(announced), 1);
  let rings = 0;
  platform.deps.bells.listen(terminalId, () => rings++);
  return { platform, request, announced, rings: () => rings };
}

describe("a payment's message", () => {
  it("is not handed out before its worker released it, however late that is, and its bell rings then", async () => {
    const { platform, announced, rings } = await anAnnouncedMessage();
    await platform.deps.clock.sleep(29_000);
    expect(await fetchNext(platform)).toBeUndefined();
    expect(rings()).toBe(0);
    await platform.handle(announced);
    expect(rings()).toBe(1);
    expect((await fetchNext(platform))?.message.type).toBe("payment");
  });

  it("is released without a read of its command, and is not marked done", async () => {
    const { platform, request, announced } = await anAnnouncedMessage();
    const { find } = platform.deps.commands;
    platform.deps.commands.find = async () => Promise.reject(new Error("it is not to be read"));
    await platform.handle(announced);
    platform.deps.commands.find = find;
    expect((await fetchNext(platform))?.message.type).toBe("payment");
    const subject = paymentSubjectOf({ partnerId, ...request });
    expect(await platform.deps.commands.find(subject, announced.announcement.commandId ?? "")).toMatchObject({
      done: [],
    });
  });

  it("is released once its commit has happened, although its worker found none at first", async () => {
    const platform = await aPlatform();
    const { commit } = platform.deps.payments;
    let isEarly = true;
    platform.deps.payments.commit = async (...given) => {
      await platform.pass(); // the worker finds nothing, and looks again later
      isEarly = platform.queued.some(({ announcement }) => announcement.lookups === 1);
      return commit(...given);
    };
    expect(await requestPayment(platform.deps, callBy(platform.deps), aRequest())).toMatchObject({ ok: true });
    expect(isEarly).toBe(true);
    expect(await fetchNext(platform)).toBeUndefined();
    await platform.pass(2);
    expect((await fetchNext(platform))?.message.type).toBe("payment");
  });

  it("is handed out no more once it is answered, although its announcement is delivered again", async () => {
    const { platform, request, announced } = await anAnnouncedMessage();
    await platform.handle(announced);
    const messageId = (await fetchNext(platform))?.messageId;
    const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd", type: "accepted", messageId } as const;
    await recordReport(platform.deps, callFrom(platform.deps, aTerminal()), request.sessionId, report);
    await platform.handle(announced, 2);
    expect(await inbox(platform)).toEqual([]);
    expect(await fetchNext(platform)).toBeUndefined();
    expect(platform.log.of("backOff")).toEqual([]);
  });

  it("wakes its terminal's poll at a redelivery, if the first worker died between its release and the bell", async () => {
    const { platform, announced, rings } = await anAnnouncedMessage();
    const { release } = platform.deps.inboxes;
    platform.deps.inboxes.release = async (...given) => {
      platform.deps.inboxes.release = release;
      expect(await release(...given)).toBe(true);
      throw new Unavailable("the worker died here");
    };
    await platform.handle(announced);
    expect(rings()).toBe(0);
    await platform.pass(2);
    expect(rings()).toBe(1);
    expect(await inbox(platform)).toMatchObject([{ isHeld: false, state: "waiting" }]);
  });
});

describe("a worker whose dependency is in trouble", () => {
  it("reschedules its message at growing intervals, and finishes once the trouble has ended", async () => {
    const platform = await aPlatform();
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    const { release } = platform.deps.inboxes;
    let outage = 3;
    platform.deps.inboxes.release = async (...given) => {
      if (outage-- > 0) throw new Unavailable("503");
      return release(...given);
    };

    await platform.pass(0);
    expect(platform.queued.find((m) => m.queue === "terminal-messages")?.announcement.failures).toBe(1);
    expect(await fetchNext(platform)).toBeUndefined();
    await platform.pass(10);

    expect((await fetchNext(platform))?.message.type).toBe("payment");
  });
});
