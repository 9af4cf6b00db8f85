import { expect, it } from "vitest";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import { aRequest, caller } from "../../support/platform.ts";
import { aTill } from "../../support/tills.ts";
import { aRestorable, copyOf } from "./a-restorable.ts";

/** A partner that requests payments under one key, each at another terminal. */
async function aPartnerWithOneKey() {
  const restorable = await aRestorable();
  const { platform } = restorable;
  return {
    ...restorable,
    async send(sessionId = aRequest().sessionId) {
      const { terminalId } = await aTill(platform);
      const request = aRequest({ sessionId, terminalId });
      const answer = await requestPayment(platform.deps, callOf(platform.deps, caller), request, "one key");
      return { sessionId, answer };
    },
  };
}

const mismatch = (sessionId: string) => ({ ok: false, error: { code: "idempotency_mismatch", sessionId } });

it("an Idempotency-Key stays bound to its payment after a restore, also if a failover has lost its row", async () => {
  for (const isLost of [false, true]) {
    const { exportAll, restore, send, whole } = await aPartnerWithOneKey();
    const before = await copyOf(whole().sessions);
    const { sessionId } = await send();
    await exportAll(isLost ? { ...whole(), sessions: before } : whole());
    await restore();
    expect((await send()).answer).toMatchObject(mismatch(sessionId));
  }
});

it("an Idempotency-Key of a lost payment is never taken by another session, and the session may be requested again", async () => {
  const { exportAll, platform, restore, send, whole } = await aPartnerWithOneKey();
  const before = await copyOf(whole().terminals);
  const { sessionId } = await send();
  await exportAll({ ...whole(), terminals: before });
  await restore();
  await platform.pass(3_600);
  expect((await send()).answer).toMatchObject(mismatch(sessionId));
  expect((await send(sessionId)).answer).toMatchObject({ ok: true, value: { replayed: false } });
});
