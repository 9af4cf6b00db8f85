import { InvocationContext } from "@azure/functions";
import { expect, it } from "vitest";
import { deadlines } from "../../../functions/workers/deadlines.ts";
import { lineOfRun } from "../../../shared/adapters/log/line-of-run.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, aRequest, callBy, partnerId } from "../../support/platform.ts";

it("a payment with an unknown outcome has a line, and another once it is known", async () => {
  const { platform, sessionId, fetch, sendReport, now } = await aPayment();
  await fetch();
  await platform.pass(3_600);
  expect((await now()).status).toBe("reconciling");
  await sendReport("authorized", approval);
  const of = { partner: partnerId, session: sessionId };
  const entered = platform.log.of("reconcilingEntered");
  expect(entered).toMatchObject([{ ...of, level: "warning" }]);
  const left = platform.log.of("reconcilingLeft");
  expect(left).toMatchObject([{ ...of, outcome: (await now()).status, reason: "authorized" }]);
});

it.each([
  [1_000, []],
  [1_001, [1_001]],
])("a commit that takes %i ms has a line if that is more than a second", async (took, logged) => {
  const platform = await aPlatform();
  const { deps } = platform;
  const { commit } = deps.payments;
  deps.payments.commit = async (...given) => {
    await deps.clock.sleep(took);
    return commit(...given);
  };
  const request = aRequest();
  await requestPayment(deps, callBy(deps), request);
  const lines = platform.log.of("slowCommit");
  expect(lines.map(({ ms }) => ms)).toEqual(logged);
  expect(lines.every(({ session }) => session === request.sessionId)).toBe(true);
});

it("a worker whose tables are away has a line about the back-off, with the time of its next try, and one about its run", async () => {
  const platform = await aPlatform();
  await requestPayment(platform.deps, callBy(platform.deps), aRequest());
  platform.deps.inboxes.release = () => Promise.reject(new Unavailable("Table Storage: 503 ServerBusy"));
  await platform.pass();
  const effect = "message";
  expect(platform.log.of("backOff")).toMatchObject([
    { queue: "terminal-messages", effect, reason: "tables", tries: 1, dueMs: 1_000, function: "terminal-messages" },
  ]);
  expect(platform.log.of("worker")).toMatchObject([
    { effect, outcome: "putOff", dueMs: 1_000, tries: 1, queueAgeMs: 0 },
  ]);
});

it.each([
  ["did its work in time", {}, false],
  ["left nothing to do", { outcome: "implied" }, false],
  ["waited for long", { queueAgeMs: 5_000 }, true],
  ["is not the first delivery", { tries: 2 }, true],
  ["failed", { outcome: "putOff" }, true],
  ["found the work done", { outcome: "doneBefore" }, true],
])("a worker's run that %s has a line: %j %s", (_, run, hasLine) => {
  const ordinary = { queue: "mails", effect: "mail", outcome: "done", tries: 1, queueAgeMs: 4_999 };
  expect(lineOfRun({ ...ordinary, ...run }) !== undefined).toBe(hasLine);
});

it("a message of a later version has a line", async () => {
  const platform = await aPlatform();
  const triggerMetadata = { enqueuedTimeUtc: platform.deps.clock.now(), deliveryCount: 1, messageId: "m" };
  await deadlines.handler(platform.deps)({ v: 7 }, new InvocationContext({ triggerMetadata }));
  expect(platform.log.lines).toMatchObject([
    { event: "versionAhead", queue: "deadlines", reason: "message", dueMs: 60_000, function: "deadlines" },
    { event: "worker", outcome: "passedOn" },
  ]);
});

it("a row of a later version has a line that names its kind, and not its key", async () => {
  let isLater = false;
  const platform = await aPlatform({
    open: (table) => {
      const rows = inMemoryRows();
      if (table !== "terminals") return rows;
      const later = async (...given: Parameters<typeof rows.get>) => {
        const row = await rows.get(...given);
        return row && isLater ? { ...row, columns: { ...row.columns, v: newestVersion + 1 } } : row;
      };
      return { ...rows, get: later };
    },
  });
  await requestPayment(platform.deps, callBy(platform.deps), aRequest());
  const again = [...platform.queued];
  await platform.pass();
  isLater = true;
  for (const message of again) if (message.queue === "terminal-messages") await platform.handle(message);
  const error = `Unavailable: a row payment~command has version ${newestVersion + 1}, and this app reads version ${newestVersion}`;
  expect(platform.log.of("versionAhead")).toMatchObject([{ reason: "row", error, tries: 1, dueMs: 1_000 }]);
  expect(platform.log.of("backOff")).toEqual([]);
});
