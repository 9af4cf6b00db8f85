import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { operatorOf } from "../support/admin.ts";
import { waitFor } from "../support/wait-for.ts";
import { codeIn, webShopOn } from "../support/web-shop.ts";

let directory: string;
let stack: Stack;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mail-again-"));
  stack = await startStack({ ports: "free", directory });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

it("a customer whose mail is lost gets the same code once more, after the minute that the operator was told to wait", async () => {
  const shop = webShopOn(stack.file);
  const { shown } = operatorOf(stack.file);
  const { landingPageID, email, code } = await shop.token();
  await shop.requestUntil(landingPageID, "emailed");
  const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
  const accessTokenID = page.requests[0]?.accessTokenID ?? "";

  const tooEarly = /It was mailed less than a minute ago\. Try again in (\d+) s\./;
  const early = await shown<string>("token", "resend", accessTokenID, "--to", email).catch(
    (error: Error) => error.message,
  );
  expect(early).toMatch(tooEarly);
  const [, seconds] = tooEarly.exec(early) ?? [];
  expect(await shop.mailsTo(email)).toHaveLength(1);

  await sleep(Number(seconds) * 1_000);
  await shown("token", "resend", accessTokenID, "--to", email);
  const mails = await waitFor("a second mail", () => shop.mailsTo(email), { until: ({ length }) => length > 1 });
  expect(mails.map(codeIn)).toEqual([code, code]);
  await shop.requestUntil(landingPageID, "emailed");
  const token = await shown("token", "show", accessTokenID);
  expect(token).toMatchObject({ mail: { status: "emailed", email: expect.stringContaining("***") } });
});
