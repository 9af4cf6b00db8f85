import { callFrom } from "../../support/calls.ts";
import { describe, expect, it } from "vitest";
import { toActionRequestObject } from "../../../shared/contracts/objects/action-request.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { readAndNoteActionRequest } from "../../../shared/use-cases/action-requests/read-and-note-action-request.ts";
import { aTemplate, aToken } from "../../support/consumer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, aTerminal, type Platform, callBy } from "../../support/platform.ts";

const actionRequestId = "abababab-0000-4000-8000-000000000001";

/** An action request with this code from the terminal, as the partner reads it. */
async function shownFor(platform: Platform, code: string) {
  const input = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false, code };
  const raised = await raiseActionRequest(platform.deps, callFrom(platform.deps, aTerminal()), input);
  if (!raised.ok) throw new Error(raised.error.code);
  const read = await readAndNoteActionRequest(platform.deps, callBy(platform.deps), actionRequestId);
  if (!read.ok) throw new Error(read.error.code);
  await platform.pass();
  const shown = toActionRequestObject(read.value);
  const bodies = platform.webhooksSent.map((sent) => sent.body).join("");
  expect(JSON.stringify(shown) + bodies).not.toContain(code);
  expect(JSON.parse(platform.webhooksSent[0]?.body ?? "")).toMatchObject({
    data: JSON.parse(JSON.stringify(shown)) as object,
  });
  return shown;
}

describe("a code that is shown at a terminal", () => {
  it("shows the partner its key, and is not passed on itself", async () => {
    const platform = await aPlatform();
    const key = await aToken(platform, aTemplate({ kind: "key", value: undefined }));
    const { tokenId, productId, validUntil } = await key.now();
    expect((await shownFor(platform, key.code)).token).toEqual({
      accessTokenID: tokenId,
      kind: "key",
      productID: productId,
      validUntil,
      status: "active",
    });
    expect(await key.now()).toMatchObject({ status: "active" });
  });

  it("shows a voucher's true state when its release was lost", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.spend(voucher.code);
    await platform.pass();
    expect((await shownFor(platform, voucher.code)).token).toMatchObject({ kind: "voucher", status: "reserved" });
  });

  it("shows that its token has expired", async () => {
    const platform = await aPlatform();
    const key = await aToken(platform, aTemplate({ kind: "key", value: undefined, validSeconds: 1 }));
    await platform.pass(2);
    expect((await shownFor(platform, key.code)).token).toMatchObject({
      status: "expired",
      statusText: "This key expired on 21 November 2026.",
    });
  });

  it.each([
    ["mistyped", () => "1234-1234-1234-1234", "codeMistyped"],
    ["nobody's", (platform: Platform) => platform.deps.codes.codeOf("nobody's", "test"), "codeUnknown"],
  ])("and is %s is shown as such, without a token", async (_, code, tokenProblem) => {
    const platform = await aPlatform();
    const shown = await shownFor(platform, code(platform));
    expect(shown.tokenProblem).toBe(tokenProblem);
    expect(shown.token).toBeUndefined();
  });

  it("is unknown when its token is valid only at another merchant", async () => {
    const platform = await aPlatform();
    const key = await aToken(platform, aTemplate({ kind: "key", value: undefined, merchantId: "another" }));
    expect((await shownFor(platform, key.code)).tokenProblem).toBe("codeUnknown");
  });
});
