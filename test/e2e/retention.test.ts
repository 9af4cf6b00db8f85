import { expect, inject, it } from "vitest";
import { retentionKinds } from "../../shared/domain/retention.ts";
import { operatorOf } from "../support/admin.ts";
import { webShopOn } from "../support/web-shop.ts";

const stack = inject("stack");
const shop = webShopOn(stack);
const { printed, shown } = operatorOf(stack);

it("One command erases a customer's address; its output and the page show no trace of it", async () => {
  const { landingPageID, email } = await shop.token();
  await shop.requestUntil(landingPageID, "emailed");
  expect(await shown("erase", "--email", email.toUpperCase(), "--dry-run")).toEqual({ requests: 1, underWay: 0 });

  const { out, notes } = await printed("erase", "--email", email, "--yes");
  expect(out).toMatch(/^requests +1$/m);
  expect([out, ...notes].join("\n").toLowerCase()).not.toContain(email.toLowerCase());
  const { requests } = (await shop.page(landingPageID)).body;
  expect(requests).toMatchObject([{ email: "***", status: "emailed" }]);
  expect(await shown("erase", "--email", email, "--yes")).toEqual({ requests: 0, underWay: 0, rows: 0 });
});

it("Nothing from today is removed, and nothing is removed without a confirmation", async () => {
  const plans = await shown<{ kind: string; atMost: number }[]>("purge", "--dry-run");
  expect(plans).toMatchObject(retentionKinds.map((kind) => ({ kind, atMost: 0 })));
  await expect(shown("purge", "--kind", "payments", "--older-than", "7")).rejects.toThrow(
    "Records of the kind payments must stay for at least 548 days.",
  );
});

it("The code key that makes today's codes is shown with the day until which it must be kept", async () => {
  await shop.token();
  expect(await shown("code-key", "status")).toMatchObject([
    { codeKey: "local", setting: "first: makes new codes", neededUntil: expect.any(String) as string },
  ]);
});
