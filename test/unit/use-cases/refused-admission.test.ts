import { expect, it } from "vitest";
import { aPlatform } from "../../support/platform.ts";
import { aTill } from "../../support/tills.ts";

it("a payment that the worker refused for a busy terminal stays refused, though the worker died and the terminal is free again", async () => {
  const platform = await aPlatform();
  const { deps } = platform;
  const till = await aTill(platform);
  const [first, second] = [await till.ask(undefined), await till.ask(undefined)];
  const isOfSecond = (announcement: object) => JSON.stringify(announcement).includes(second.sessionId);
  const late = platform.queued.filter(({ announcement }) => isOfSecond(announcement));
  platform.queued.splice(0, platform.queued.length, ...platform.queued.filter((one) => !late.includes(one)));
  await platform.pass();

  const admission = late.find(({ announcement }) => announcement.effect === "admission");
  if (!admission) throw new Error("nothing was announced");
  const { commit } = deps.payments;
  Object.assign(deps.payments, { commit: () => Promise.reject(new Error("the worker dies before it writes")) });
  await platform.handle(admission);
  Object.assign(deps.payments, { commit });
  await till.sendReport(first.sessionId, "declined");
  await platform.pass();

  await platform.handle(admission);
  expect(await till.find(second.sessionId)).toMatchObject({ status: "failed", statusReason: "terminalBusy" });
  expect(await deps.inboxes.unanswered(till.terminalId)).toEqual([]);
});
