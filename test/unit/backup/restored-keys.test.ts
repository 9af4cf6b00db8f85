import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
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
    /** `isAborted`: its commits fail. */
    async send({ sessionId = aRequest().sessionId, isAborted = false } = {}) {
      const { terminalId } = await aTill(platform);
      const request = aRequest({ sessionId, terminalId });
      const { deps } = platform;
      const commit = () => Promise.reject(new Conflict("another payment took the terminal"));
      const failing = { ...deps, payments: { ...deps.payments, commit } };
      const answer = await requestPayment(isAborted ? failing : deps, callOf(deps, caller), request, "one key");
      expect(isAborted && answer.ok).toBe(false);
      return { sessionId, answer };
    },
  };
}

const accepted = { ok: true, value: { replayed: false } };
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
  expect((await send({ sessionId })).answer).toMatchObject(accepted);
});

it("an Idempotency-Key names its payment after a restore, although a failover left it to an aborted request", async () => {
  const { exportAll, restore, send, whole } = await aPartnerWithOneKey();
  const first = await send({ isAborted: true });
  const before = await copyOf(whole().sessions);
  const { answer, sessionId } = await send();
  expect(answer).toMatchObject(accepted);
  await exportAll({ ...whole(), sessions: before });
  await restore();
  for (const again of [first.sessionId, undefined])
    expect((await send({ sessionId: again })).answer).toMatchObject(mismatch(sessionId));
});

it("an Idempotency-Key of an aborted request stays with its session after a restore, because a later payment may be lost", async () => {
  const { exportAll, restore, send } = await aPartnerWithOneKey();
  const { sessionId } = await send({ isAborted: true });
  await exportAll();
  const lost = await send();
  expect(lost.answer).toMatchObject(accepted);
  await restore();
  expect((await send()).answer).toMatchObject(mismatch(sessionId));
  await send({ sessionId, isAborted: true });
  expect((await send()).answer).toMatchObject(mismatch(sessionId));
  expect((await send({ sessionId })).answer).toMatchObject(accepted);
});
