import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../../shared/domain/retention.ts";
import type { OrderHolder } from "../../../../shared/domain/payment/requests/duplicate.ts";
import { cancelPayment } from "../../../../shared/use-cases/payments/cancel-payment.ts";
import { Unavailable } from "../../../../shared/ports/failures.ts";
import { paymentSubjectOf } from "../../../../shared/ports/subjects.ts";
import { requestPayment } from "../../../../shared/use-cases/payments/request-payment.ts";
import { aRequest, callBy, merchantId, partnerId, terminalId } from "../../../support/platform.ts";
import { aTill } from "../../../support/tills.ts";
import { DAY, aWorld, rowsOf, run } from "../../../support/purging.ts";

const SEVEN_YEARS = retentionTable.payments.days * DAY;

describe("purging sessions without a payment", () => {
  it("leaves nothing of a session that moved to another terminal before its payment", async () => {
    const { rows, platform } = await aWorld();
    const { deps } = platform;
    const till = await aTill(platform);
    const request = aRequest();
    const { commit } = deps.payments;
    deps.payments.commit = () => Promise.reject(new Unavailable("the process ends"));
    await expect(requestPayment(deps, callBy(deps), request)).rejects.toThrow(Unavailable);
    deps.payments.commit = commit;
    const moved = await requestPayment(deps, callBy(deps), { ...request, terminalId: till.terminalId });
    expect(moved).toMatchObject({ ok: true });
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    await run(platform, "payments");
    expect(rowsOf(await rows.all(), request.sessionId)).toEqual([]);
  });

  it("leaves nothing of a request that died before its commit, and whose announcements were lost", async () => {
    const { rows, platform } = await aWorld();
    const { deps } = platform;
    const request = aRequest();
    const { commit } = deps.payments;
    const died = new Promise<void>((resolve) => {
      deps.payments.commit = () => new Promise<never>(() => resolve());
    });
    void requestPayment(deps, callBy(deps), request);
    await died;
    deps.payments.commit = commit;
    platform.queued.splice(0);
    expect(rowsOf(await rows.all(), request.sessionId)).toHaveLength(2); // its session, and its place in the partner's list
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    await run(platform, "payments");
    expect(rowsOf(await rows.all(), request.sessionId)).toEqual([]);
  });

  it("leaves nothing of a request that died in its order's list, and whose command was aborted for another one", async () => {
    const { rows, platform } = await aWorld();
    const { orders, clock } = platform.deps;
    const [sessionId, commandId] = ["eeeeeeee-0000-4000-8000-00000000dead", "dddddddd-0000-4000-8000-00000000dead"];
    const died = { partnerId, terminalId, sessionId, commandId, strict: false, hold: "living", since: clock.now() };
    await orders.save({ merchantId, orderId: "7", currency: "SEK", amount: 12_550 }, [died as OrderHolder], undefined);
    await platform.pass(20);
    expect((await (await aTill(platform)).ask("7")).answer).toMatchObject({ ok: true });
    expect(rowsOf(await rows.all(), sessionId)).toContainEqual(expect.stringContaining(commandId));
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    await run(platform, "payments");
    expect(rowsOf(await rows.all(), sessionId)).toEqual([]);
  });

  it.each([0, 1])(
    "removes the tombstone of a session that was cancelled before it came, if that cancel ended after %i writes",
    async (writes) => {
      const { rows, platform } = await aWorld();
      const sessionId = "eeeeeeee-0000-4000-8000-00000000dead";
      rows.cutAfter(writes);
      await cancelPayment(platform.deps, callBy(platform.deps), { sessionId, terminalId }).catch(() => "cut");
      rows.cutAfter(Infinity);
      expect(rowsOf(await rows.all(), sessionId)).toHaveLength(2 * writes); // the tombstone and its mark
      await platform.pass(SEVEN_YEARS + DAY);
      await run(platform, "payments");
      expect(rowsOf(await rows.all(), sessionId)).toEqual([]);
    },
  );

  it("keeps a command of a session without a payment that was aborted lately, so that its late commit fails", async () => {
    const { platform } = await aWorld();
    const { deps } = platform;
    const { sessionId } = aRequest();
    const subject = paymentSubjectOf({ partnerId, terminalId, sessionId });
    await cancelPayment(deps, callBy(deps), subject);
    await platform.pass(SEVEN_YEARS + DAY);
    await deps.commands.abortCommand(subject, "late", deps.clock.now());
    await run(platform, "payments");
    expect(await deps.payments.findOrTombstone(subject)).toBeUndefined();
    expect(await deps.commands.find(subject, "late")).toMatchObject({ state: "aborted" });
    await platform.pass(SEVEN_YEARS + DAY);
    await run(platform, "payments");
    expect(await deps.commands.find(subject, "late")).toBeUndefined();
  });
});
