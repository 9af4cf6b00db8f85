import { describe, expect, it } from "vitest";
import { closeAlert } from "../../../shared/domain/alert.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { partnerId } from "../../support/platform.ts";

/** A captured payment whose terminal then reports that the capture failed. */
async function contradicted() {
  const payment = await aPayment({ captureMode: "automatic" });
  await payment.sendReport("accepted");
  await payment.sendReport("authorized", approval);
  const { platform, key } = payment;
  const { alerts } = platform.deps;
  const subject = paymentSubjectOf(key);
  const identity = { subject, kind: "contradictingReport", about: "charge-1" } as const;
  const failure = { chargeId: "charge-1" };
  return { ...payment, alerts, identity, contradict: () => payment.sendReport("captureFailed", failure, "wait") };
}

describe("an alert that a report raises", () => {
  it("is stored, added to the list of open alerts, and logged in one line", async () => {
    const { alerts, contradict, identity, platform } = await contradicted();
    await contradict();
    expect(await alerts.listOpen()).toEqual([]);
    await platform.pass();
    const { deps, log } = platform;
    const { kind, subject } = identity;
    const { sessionId } = subject;
    const now = deps.clock.now();
    expect(await alerts.listOpen()).toMatchObject([{ subject, kind, status: "open", count: 1, firstAt: now }]);
    const line = { level: "error", alert: "contradictingReport", partner: partnerId, session: sessionId, sequence: 4 };
    expect(log.of("alertRaised")).toMatchObject([line]);
  });

  it("is one alert however often it is raised, with a count", async () => {
    const { alerts, contradict, identity, platform, sessionId } = await contradicted();
    await contradict();
    await platform.pass(60);
    await contradict();
    await platform.pass(60);
    expect(await alerts.of(sessionId)).toHaveLength(1);
    expect((await alerts.find(identity))?.alert).toMatchObject({ count: 2, raisedBy: [4, 5] });
    expect(platform.log.of("alertRaised").map(({ sequence }) => sequence)).toEqual([4, 5]);
  });

  it("is counted once if its message is redelivered, even after it was closed", async () => {
    const { alerts, contradict, identity, platform } = await contradicted();
    await contradict();
    const message = platform.queued.find(({ queue }) => queue === "operator-alerts");
    if (!message) throw new Error("nothing was announced");
    // As if the worker died before it marked the effect as done.
    const { markDone } = platform.deps.commands;
    platform.deps.commands.markDone = async () => {
      throw new Unavailable("503");
    };
    await platform.handle(message);
    platform.deps.commands.markDone = markDone;
    const read = await alerts.find(identity);
    const closed = read && closeAlert(read.alert, { by: "ada", why: "seen", at: platform.deps.clock.now() });
    if (!closed) throw new Error("no open alert");
    await alerts.save(closed, read);
    await platform.pass(60);
    expect((await alerts.find(identity))?.alert).toMatchObject({ status: "closed", count: 1 });
    expect(await alerts.listOpen()).toEqual([]);
  });

  it.each(["before", "after"])(
    "is stored and logged although the worker crashed %s its row was written",
    async (when) => {
      const { alerts, contradict, platform } = await contradicted();
      await contradict();
      const { save } = alerts;
      alerts.save = async (...given) => {
        alerts.save = save;
        if (when === "after") await save(...given);
        expect(platform.log.of("alertRaised")).toHaveLength(1);
        throw new Unavailable("the worker died here");
      };
      await platform.pass(60);
      expect(await alerts.listOpen()).toMatchObject([{ count: 1 }]);
      expect(platform.log.of("alertRaised")).toHaveLength(when === "after" ? 1 : 2);
    },
  );

  it("counts both of two workers that raise it at the same moment", async () => {
    const { alerts, contradict, identity, platform } = await contradicted();
    await contradict();
    await contradict();
    const { save } = alerts;
    alerts.save = async (alert, read) => {
      alerts.save = save;
      await platform.pass(); // the other worker writes first
      await save(alert, read);
    };
    const message = platform.queued.find(({ queue }) => queue === "operator-alerts");
    if (!message) throw new Error("nothing was announced");
    platform.queued.splice(platform.queued.indexOf(message), 1);
    await platform.handle(message);
    expect((await alerts.find(identity))?.alert).toMatchObject({ count: 2, raisedBy: [4, 5] });
  });

  it("cannot be closed in the state before it was raised again", async () => {
    const { alerts, contradict, identity, platform } = await contradicted();
    await contradict();
    await platform.pass();
    const read = await alerts.find(identity);
    if (!read) throw new Error("no alert");
    await contradict();
    await platform.pass();
    const closed = closeAlert(read.alert, { by: "ada", why: "seen", at: platform.deps.clock.now() });
    if (!closed) throw new Error("not open");
    await expect(alerts.save(closed, read)).rejects.toThrow(Conflict);
    expect(await alerts.listOpen()).toMatchObject([{ count: 2 }]);
  });
});
