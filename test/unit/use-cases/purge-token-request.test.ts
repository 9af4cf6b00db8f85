import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aTemplate, aToken } from "../../support/consumer.ts";
import { callBy } from "../../support/platform.ts";
import { DAY, aWorld, plan, run } from "../../support/purging.ts";

describe("purging token requests", () => {
  const days = retentionTable.tokenRequests.days;
  const tokenRows = (all: readonly string[]) =>
    all.filter((row) => /^(accessTokens (?!codekeys)|landingPages .* (request|same|command|open|changed)~)/.test(row));

  it("removes a request with its token, its code and the stored data of its address", async () => {
    const { rows, platform } = await aWorld();
    await aToken(platform);
    await platform.pass(60);
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(days * DAY);
    await run(platform, "tokenRequests"); // the token was valid for a day, and its retention counts from then
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(2 * DAY);
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 1, stay: 0 });
    expect(tokenRows(await rows.all())).toEqual([]);
  });

  it("keeps a request while its token is valid, and does not look at it again before the token has had its days", async () => {
    const { rows, platform } = await aWorld();
    await aToken(platform, aTemplate({ validSeconds: 30 * DAY }));
    await platform.pass((days + 5) * DAY);
    expect(await plan(platform, "tokenRequests")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 0 });
    expect(await plan(platform, "tokenRequests")).toMatchObject({ atMost: 0 });
    await platform.pass(30 * DAY);
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 1 });
    expect(tokenRows(await rows.all())).toEqual([]);
  });

  it("keeps a request while a payment holds its voucher, and the payment keeps the voucher's amount", async () => {
    const { rows, platform } = await aWorld();
    const { code, tokenId } = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const { sessionId } = payment;
    await payment.fetch();
    await payment.sendReport("accepted");
    await addDiscount(platform.deps, callBy(platform.deps), { sessionId, voucherCode: code });
    await platform.pass((days + 3) * DAY);
    const held = await platform.deps.accessTokens.find(tokenId);
    expect(held?.token.status).toBe("reserved");
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 0 });
    expect(await platform.deps.accessTokens.find(tokenId)).toBeDefined();
    expect((await payment.now()).discounts).toMatchObject([{ voucherTokenId: tokenId }]);
    expect(tokenRows(await rows.all())).not.toEqual([]);
  });

  it("may be interrupted at any write and run again", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      await aToken(platform);
      await platform.pass((days + 2) * DAY);
      rows.cutAfter(writes);
      const ended = await run(platform, "tokenRequests").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform, "tokenRequests");
      expect(tokenRows(await rows.all()), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });
});
