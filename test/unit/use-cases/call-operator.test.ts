import { InvocationContext } from "@azure/functions";
import { describe, expect, it } from "vitest";
import { deadlines } from "../../../functions/workers/deadlines.ts";
import { closeAlert } from "../../../shared/domain/alert.ts";
import { after, msBetween } from "../../../shared/domain/time.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPlatform, aRequest, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";

const platformAlert = { subject: { kind: "platform" } } as const;

/** Every call of this port fails for this many seconds from now on. */
function goAway<Port extends object>({ deps: { clock } }: Platform, port: Port, seconds: number, error: Unavailable) {
  const from = clock.now();
  for (const [name, call] of Object.entries(port) as [keyof Port, (...given: unknown[]) => unknown][]) {
    const failing = async (...given: unknown[]) => {
      if (msBetween(from, clock.now()) < seconds * 1000) throw error;
      return call(...given);
    };
    port[name] = failing as Port[keyof Port];
  }
}

async function withPayments(count: number): Promise<Platform> {
  const platform = await aPlatform();
  const { deps } = platform;
  for (let i = 0; i < count; i++) await requestPayment(deps, callBy(deps), aRequest());
  return platform;
}

const noTables = new Unavailable("Table Storage: ServerBusy");
const noBus = new Unavailable("Service Bus did not take a message", { dependency: "bus" });

const tablesGoAway = (platform: Platform, seconds: number) => {
  goAway(platform, platform.deps.commands, seconds, noTables);
  goAway(platform, platform.deps.inboxes, seconds, noTables);
  goAway(platform, platform.deps.alerts, seconds, noTables);
};

describe("tables that stay away", () => {
  it("raise an alert: a log line for each waiting message, and one row once they respond", async () => {
    const platform = await withPayments(2);
    const messages = platform.queued.length;
    tablesGoAway(platform, 1_500);
    await platform.pass(1_400);
    const { log, deps } = platform;
    expect(log.of("alertRaised")).toHaveLength(messages);
    expect(log.of("alertRaised")[0]).toMatchObject({ alert: "dependencyAway", about: "tables" });
    await platform.pass(600);
    expect(await deps.alerts.listOpen()).toMatchObject([
      { ...platformAlert, kind: "dependencyAway", about: "tables", count: 1, detail: "Table Storage: ServerBusy" },
    ]);
    expect(platform.alertsWaiting).toEqual([]);
  });

  it("raise no alert for minutes", async () => {
    const platform = await withPayments(2);
    tablesGoAway(platform, 250);
    await platform.pass(2_000);
    expect(platform.log.of("alertRaised")).toEqual([]);
    expect(await platform.deps.alerts.listOpen()).toEqual([]);
  });

  it("reopen the alert in another hour, and leave it closed in the same hour", async () => {
    const platform = await withPayments(1);
    const { alerts } = platform.deps;
    tablesGoAway(platform, 1_200);
    await platform.pass(2_000);
    const identity = { ...platformAlert, kind: "dependencyAway", about: "tables" } as const;
    const read = await alerts.find(identity);
    const closed = read && closeAlert(read.alert, { by: "ada", why: "they are back", at: platform.deps.clock.now() });
    if (!closed) throw new Error("no open alert");
    await alerts.save(closed, read);
    await platform.pass(3_600);
    await platform.deps.terminals.seen(terminalId, platform.deps.clock.now());
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    tablesGoAway(platform, 1_200);
    await platform.pass(2_000);
    expect((await alerts.find(identity))?.alert).toMatchObject({ status: "open", count: 2 });
  });

  it("raise the alert at the next try when the bus accepted no alert either", async () => {
    const platform = await withPayments(1);
    tablesGoAway(platform, 3_000);
    goAway(platform, platform.deps.bareAlerts, 700, noBus);
    await platform.pass(4_000);
    expect(await platform.deps.alerts.listOpen()).toMatchObject([{ kind: "dependencyAway", count: 1 }]);
    expect(platform.log.of("alertRaised").length).toBeGreaterThan(platform.queued.length + 1);
  });
});

describe("a bus that accepts nothing", () => {
  it("raises an alert through the tables once it has accepted nothing for four minutes", async () => {
    const platform = await withPayments(1);
    const [message] = platform.queued;
    if (!message) throw new Error("nothing was announced");
    const { deps, handle, log } = platform;
    goAway(platform, deps.inboxes, Infinity, noTables);
    goAway(platform, deps.announcements, Infinity, noBus);
    goAway(platform, deps.bareAlerts, Infinity, noBus);
    await expect(handle(message)).rejects.toThrow(noBus);
    expect(log.of("alertRaised")).toMatchObject([{ alert: "dependencyAway", about: "bus" }]);
    expect(await deps.alerts.listOpen()).toMatchObject([{ ...platformAlert, kind: "dependencyAway", about: "bus" }]);
  });
});

describe("a message whose every delivery fails", () => {
  const deliver = (
    { deps }: Platform,
    message: unknown,
    deliveryCount: number,
    named: object = { messageId: "M 7" },
  ) => {
    const enqueuedTimeUtc = deps.clock.now();
    const applicationProperties = { unreadSince: after(enqueuedTimeUtc, -24 * 3600) };
    const triggerMetadata = { enqueuedTimeUtc, deliveryCount, applicationProperties, ...named };
    return Promise.resolve(deadlines.handler(deps)(message, new InvocationContext({ triggerMetadata })));
  };

  it("raises an alert at its last delivery, when it becomes a dead letter", async () => {
    const platform = await aPlatform();
    await expect(deliver(platform, { v: 7 }, 49)).rejects.toThrow(/"v"/);
    expect(platform.log.of("alertRaised")).toEqual([]);
    await expect(deliver(platform, { v: 7 }, 50)).rejects.toThrow(/"v"/);
    await platform.pass();
    expect(await platform.deps.alerts.listOpen()).toMatchObject([
      { ...platformAlert, kind: "deadLetter", about: "deadlines~m_7", count: 1 },
    ]);
    expect(platform.log.of("alertRaised")[0]).toMatchObject({
      alert: "deadLetter",
      about: "deadlines~m_7",
      cause: "m_7",
    });
  });

  it.each([
    [{ messageId: 7 }, "deadlines~7"],
    [{ messageId: { a: "b" } }, "deadlines~__a_:_b__"],
    [{ sequenceNumber: 12 }, "deadlines~12"],
    [{}, "deadlines~unnamed"],
  ])("is named by the broker's identifier: %j", async (named, about) => {
    const platform = await aPlatform();
    await expect(deliver(platform, "nonsense", 50, named)).rejects.toThrow("Invalid input");
    expect(platform.log.of("alertRaised")).toMatchObject([{ alert: "deadLetter", about }]);
  });

  it("raises an alert about its payment", async () => {
    const platform = await aPlatform();
    const subject = { kind: "payment", partnerId, terminalId, sessionId: "s" } as const;
    const firstEnqueuedAt = after(platform.deps.clock.now(), -24 * 3600);
    const announcement = { v: 1, subject, commandId: "C1", effect: "webhook~payment.voided", firstEnqueuedAt };
    platform.deps.commands.find = () => Promise.reject(new Error("the row cannot be read"));
    await expect(deliver(platform, announcement, 50)).rejects.toThrow("the row cannot be read");
    await platform.pass();
    expect((await platform.deps.alerts.of("s")).map(({ alert }) => alert)).toMatchObject([
      {
        subject,
        kind: "deadLetter",
        about: "deadlines~c1~webhook~payment.voided",
        detail: "Error: the row cannot be read",
      },
    ]);
  });

  it("is logged, and thrown unchanged, while neither tables nor bus respond", async () => {
    const platform = await aPlatform();
    goAway(platform, platform.deps.bareAlerts, Infinity, noBus);
    goAway(platform, platform.deps.alerts, Infinity, noTables);
    await expect(deliver(platform, { v: 7 }, 50)).rejects.toThrow(/"v"/);
    expect(platform.log.of("alertRaised")).toMatchObject([{ alert: "deadLetter" }]);
  });
});
