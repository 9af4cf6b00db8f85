import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { aPayment, aPaymentOn, approval } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { aPlatform, aTerminal } from "../../support/platform.ts";
import { rowsInTurn } from "../../support/rows-in-turn.ts";

/** A payment that its terminal fetched, but has not answered. */
async function fetched() {
  const payment = await aPayment();
  const message = await payment.fetch();
  return { ...payment, messageId: message?.messageId };
}

describe("a payment that the terminal fetched, and whose answer was lost,", () => {
  it("is not delivered again once it is cancelled: the terminal gets the cancel at once", async () => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const message = await payment.fetch();
    expect(message?.message.type).toBe("cancel");
    await payment.platform.pass(11);
    expect((await payment.fetch())?.messageId).toBe(message?.messageId);
  });

  it.each([
    ["never saw it says so, and it is cancelled", "notStarted", "cancelled"],
    ["began it obeys, and it is cancelled", "cancelled", "cancelled"],
  ] as const)("and that was cancelled, with a terminal that %s", async (_, type, status) => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const cancel = await payment.fetch();
    await payment.sendReport(type, { messageId: cancel?.messageId });
    expect(await payment.now()).toMatchObject({ status });
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered again after the cancel was only acknowledged", async () => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const cancel = await payment.fetch();
    await payment.sendReport("acknowledged", { messageId: cancel?.messageId });
    await payment.platform.pass(11);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered again during a status query, nor after that", async () => {
    const payment = await fetched();
    await payment.platform.pass(31);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    await payment.sendReport("stillRunning", { messageId: query?.messageId });
    expect(await payment.now()).toMatchObject({ status: "inProgress" });
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered after it expired; a status query and its answer end it", async () => {
    const payment = await aPayment({ expiresInSeconds: 30 });
    await payment.fetch();
    await payment.platform.deps.clock.sleep(30_000);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.open()).toEqual(["payment"]);
    await payment.platform.pass();
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    await payment.sendReport("notStarted", { messageId: query?.messageId });
    expect(await payment.now()).toMatchObject({ status: "expired" });
    expect(await payment.open()).toEqual([]);
  });
});

describe("a terminal that names the last message that arrived", () => {
  it("gets a lost message again at once", async () => {
    const payment = await fetched();
    const earlier = "dddddddd-0000-4000-8000-0000000000ff";
    expect((await payment.fetch(earlier))?.messageId).toBe(payment.messageId);
    expect(await payment.fetch()).toBeUndefined(); // leased again
  });

  it("does not get that message again before its lease is over", async () => {
    const payment = await fetched();
    expect(await payment.fetch(payment.messageId)).toBeUndefined();
    await payment.platform.pass(11);
    expect((await payment.fetch(payment.messageId))?.messageId).toBe(payment.messageId);
  });
});

describe("a report that names no message, or an unknown one", () => {
  const unknown = "dddddddd-0000-4000-8000-0000000000ff";

  it.each([
    ["none", undefined],
    ["an unknown one", unknown],
  ])("(%s) acknowledges the payment's message that it answers, which is not delivered again", async (_, messageId) => {
    const payment = await fetched();
    await payment.sendReport("accepted", { messageId });
    await payment.platform.pass(11);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.now()).toMatchObject({ status: "inProgress" });
  });

  it("acknowledges the capture, so that it is delivered once", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captured");
    expect(await payment.now()).toMatchObject({ status: "captured" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges a cancel or a status query by reporting how the payment ended", async () => {
    const payment = await fetched();
    await payment.sendReport("accepted");
    await payment.cancel();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("cancel");
    await payment.sendReport("cancelled");
    expect(await payment.now()).toMatchObject({ status: "cancelled" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges the refund whose refundID it has, and no other", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.sendReport("captured", { messageId: (await payment.fetch())?.messageId });
    const refundId = "abababab-0000-4000-8000-000000000001";
    await payment.refund(1, { refundId });
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("refund");
    await payment.sendReport("refunded");
    await payment.sendReport("refunded", { refundId: unknown });
    expect(await payment.open()).toEqual(["refund"]);
    await payment.sendReport("refunded", { refundId });
    expect(await payment.open()).toEqual([]);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
  });

  it("answers the offered discount", async () => {
    const payment = await fetched();
    await payment.sendReport("accepted");
    await payment.reduce(1);
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("discount");
    await payment.sendReport("discountApplied");
    expect(await payment.now()).toMatchObject({ discounts: [{ status: "applied" }], amounts: { discounted: 100 } });
    expect(await payment.open()).toEqual([]);
  });

  it("takes out the capture that it ends, which the terminal has not fetched", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.sendReport("captureFailed");
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureFailed" });
    expect(await payment.fetch()).toBeUndefined();
  });

  it("answers the capture although it names the payment's own message", async () => {
    const payment = await fetched();
    const { messageId } = payment;
    await payment.sendReport("authorized", { ...approval, messageId });
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    await payment.sendReport("captureFailed", { messageId });
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureFailed" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges the same messages when it is repeated, and not a later capture", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd" };
    await payment.sendReport("captureFailed", report);
    await payment.capture();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captureFailed", report);
    expect(await payment.open()).toEqual(["capture"]);
    expect(await payment.now()).toMatchObject({ status: "captureRequested" });
  });

  it.each([
    ["capture", "captureFailed", "captureRequested", 601, "statusQuery"], // its answer decides
    ["void", "voidFailed", "voidRequested", 6 * 3600, "void"], // the next try
  ] as const)(
    "ends a %s when it is repeated, although it names an earlier status query",
    async (type, failed, status, wait, next) => {
      const payment = await fetched();
      await payment.platform.pass(31);
      const query = await payment.fetch();
      await payment.sendReport("stillRunning", { messageId: query?.messageId });
      await payment.sendReport("authorized", approval);
      await (type === "capture" ? payment.capture() : payment.cancel());
      await payment.platform.pass();
      expect((await payment.fetch())?.message.type).toBe(type);
      const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd", messageId: query?.messageId };
      await payment.sendReport(failed, report);
      expect(await payment.open()).toEqual([type]);
      await payment.sendReport(failed, report); // as the answer to the same message, which it got again
      expect(await payment.open()).toEqual([]);
      expect(await payment.now()).toMatchObject({ status });
      await payment.platform.pass(wait);
      expect((await payment.fetch())?.message.type).toBe(next);
    },
  );

  it("withdraws the capture whose status query it answers, and leaves a later one", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    const first = await payment.fetch();
    await payment.platform.pass(601); // no answer: the platform sends a status query
    const [, query] = await payment.platform.deps.inboxes.unanswered((await payment.now()).terminalId);
    await payment.sendReport("captureFailed", { messageId: query?.messageId });
    expect(await payment.open()).toEqual([]);
    await payment.capture();
    await payment.platform.pass(11);
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captureFailed", { messageId: first?.messageId });
    expect(await payment.now()).toMatchObject({ status: "captureRequested" });
    expect(await payment.open()).toEqual(["capture"]);
  });
});

describe("a report and the message that it answers", () => {
  const begins = { type: "accepted", namesIt: true } as const;
  const reports = [begins, { ...begins, namesIt: false }, { type: "declined", namesIt: true }] as const;

  /** Sends the report from a process that dies at this table call, which may be carried out. True if it died. */
  async function reported({ type, namesIt }: (typeof reports)[number], dyingAt: number, isDone: boolean) {
    let calls = 0;
    const { open, race } = rowsInTurn(async (call) => {
      const number = calls++;
      const done = number < dyingAt || (number === dyingAt && isDone) ? await call() : undefined;
      if (number >= dyingAt) throw new Unavailable("the process is dead");
      return done;
    });
    const platform = await aPlatform({ open });
    const { deps } = platform;
    const payment = await aPaymentOn(platform);
    const messageId = namesIt ? (await payment.fetch())?.messageId : void (await payment.fetch());
    const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd", type, messageId };
    const terminal = aTerminal({ terminalId: payment.terminalId });
    race(true);
    const isDead = await recordReport(deps, callFrom(deps, terminal), payment.sessionId, report).then(
      () => false,
      () => true,
    );
    race(false);
    const { status } = await payment.now();
    const left = await payment.open();
    await payment.sendReport(type, report); // the terminal repeats it until it is answered
    await platform.pass(11);
    return { isDead, status, left, after: { status: (await payment.now()).status, fetched: await payment.fetch() } };
  }

  it.each(reports.flatMap((report) => [true, false].map((isDone) => ({ ...report, isDone }))))(
    "are recorded and removed together, or not at all, wherever the process dies: %j",
    async ({ isDone, ...report }) => {
      const status = report.type === "accepted" ? "inProgress" : "declined";
      const seen = new Set<string>();
      let isDead = true;
      for (let dyingAt = 0; isDead; dyingAt++) {
        const found = await reported(report, dyingAt, isDone);
        ({ isDead } = found);
        seen.add(found.status);
        expect(found.left).toEqual(found.status === "pending" ? ["payment"] : []);
        expect(found.after).toEqual({ status, fetched: undefined });
      }
      expect(seen).toEqual(new Set(["pending", status]));
    },
  );
});

describe("a report that answers 30 status queries", () => {
  /** A payment that its terminal runs, with 30 status queries because it started 30 times. It has fetched them all. */
  async function oftenQueried() {
    const payment = await fetched();
    await payment.sendReport("accepted", { messageId: payment.messageId });
    const { platform } = payment;
    const call = callFrom(platform.deps, aTerminal());
    for (let i = 0; i < 30; i++)
      await requeryAfterRestart(platform.deps, call, { reportId: randomUUID(), memory: "kept" });
    await platform.pass();
    const queries = await platform.deps.inboxes.unanswered(payment.terminalId);
    for (const query of queries)
      await platform.deps.inboxes.lease(payment.terminalId, query, platform.deps.clock.now());
    expect(await payment.open()).toHaveLength(30);
    return payment;
  }

  it("removes 20 with its change, and the others after that", async () => {
    const payment = await oftenQueried();
    const { deps } = payment.platform;
    const { remove } = deps.inboxes;
    let removedAfter = 0;
    deps.inboxes.remove = async (id, rows) => {
      removedAfter += rows.length;
      return remove(id, rows);
    };
    await payment.sendReport("declined");
    expect(await payment.now()).toMatchObject({ status: "declined" });
    expect(removedAfter).toBe(10);
    expect(await payment.open()).toEqual([]);
  });

  it("and is repeated after a crash removes the others then", async () => {
    const payment = await oftenQueried();
    const { deps } = payment.platform;
    const { remove } = deps.inboxes;
    deps.inboxes.remove = async () => Promise.reject(new Unavailable("the process died"));
    const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd" };
    await expect(payment.sendReport("declined", report)).rejects.toThrow(Unavailable);
    deps.inboxes.remove = remove;
    expect(await payment.now()).toMatchObject({ status: "declined" });
    expect(await payment.open()).toHaveLength(10);
    await payment.sendReport("declined", report);
    expect(await payment.open()).toEqual([]);
  });
});
