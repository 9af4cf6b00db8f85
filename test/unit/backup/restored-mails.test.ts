import { expect, it } from "vitest";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { resendAccessToken } from "../../../shared/use-cases/operator/vouchers/resend-access-token.ts";
import { aCall } from "../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken } from "../../support/consumer.ts";
import { brands } from "../../support/token-mails.ts";
import { aRestorable } from "./a-restorable.ts";

it("a template keeps the look of its mails and the count of failed mails, and a mailed code can be mailed once more", async () => {
  const { exportAll, platform, restore } = await aRestorable();
  const { deps, mailsSent } = platform;
  const { accessTokenTemplates } = deps;
  const { templateId, createdAt: updatedAt } = aTemplate();
  const texts = { sv: { terms: "En per gäst.\nInte i kombination." } };
  await accessTokenTemplates.add(aTemplate({ locale: "sv-SE" }), anIssuance());
  await accessTokenTemplates.saveLook({ templateId, brand: brands.harbour, texts, updatedAt }, undefined);
  const email = "anna@example.com";
  const requested = await requestAccessToken(deps, aCall(deps), anAskedToken({ email }));
  if (!requested.ok) throw new Error(requested.error.code);
  await platform.pass(120);
  const trouble = { templateId, failed: [{ requestId: "another", at: updatedAt }] };
  await accessTokenTemplates.saveTrouble(trouble, await accessTokenTemplates.findTrouble(templateId));

  await exportAll();
  await accessTokenTemplates.saveLook({ templateId, updatedAt }, await accessTokenTemplates.findLook(templateId));
  await restore();
  expect((await accessTokenTemplates.findLook(templateId))?.look).toMatchObject({ brand: brands.harbour, texts });
  expect((await accessTokenTemplates.findTrouble(templateId))?.trouble).toEqual(trouble);

  const { tokenId } = requested.value.request;
  await resendAccessToken(deps, aCall(deps), { tokenId, email, isOtherAddress: false });
  await platform.pass();
  const [first, again, ...more] = mailsSent;
  expect(more).toEqual([]);
  expect(again).toMatchObject({ to: email, code: first?.code, brand: brands.harbour, texts: texts.sv });
});
