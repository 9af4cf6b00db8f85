import { describe, expect, it } from "vitest";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { respondToActionRequest } from "../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import type { Caller } from "../../../shared/use-cases/caller.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { approval, fetchNext } from "../../support/a-payment.ts";
import { callFrom, callOf } from "../../support/calls.ts";
import { aPlatform, aRequest, aTerminal, caller, type Platform } from "../../support/platform.ts";
import { DAY, plan, run } from "../../support/purging.ts";
import { aTill } from "../../support/tills.ts";

const KEY = "till 7, sale 1234";

/** A partner that sends each of its requests under a key. */
async function aPartnerWithKeys() {
  const platform = await aPlatform();
  const till = await aTill(platform);
  const another = await aTill(platform);
  const send = (
    more: Partial<PaymentRequest> = {},
    { key = KEY, by = caller, deps = platform.deps }: { key?: string; by?: Caller; deps?: Platform["deps"] } = {},
  ) => {
    const request = aRequest({ terminalId: till.terminalId, captureMode: "automatic", ...more });
    return { ...request, answer: requestPayment(deps, callOf(deps, by), request, key) };
  };
  const sent = async (...given: Parameters<typeof send>) => {
    const { answer, sessionId } = send(...given);
    return { sessionId, answer: await answer };
  };
  return { platform, till, another, send, sent };
}

/** The same process, whose commits of payments wait. */
function slow({ deps }: Platform) {
  const { promise, resolve: goesOn } = Promise.withResolvers<void>();
  const { payments } = deps;
  const commit: typeof payments.commit = async (...given) => {
    await promise;
    await payments.commit(...given);
  };
  return { deps: { ...deps, payments: { ...payments, commit } }, goesOn };
}

/** Lets everything that is under way go as far as it can without another call. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const mismatch = (sessionId: string) => ({ ok: false, error: { code: "idempotency_mismatch", sessionId } });
/** The refusal of a request that may not learn which other request holds its key. */
const mismatchAlone = {
  ok: false,
  error: { code: "idempotency_mismatch", detail: "The Idempotency-Key was used for a different request." },
};
const inProgress = { ok: false, error: { code: "idempotency_in_progress", retryAfterSeconds: 1 } };
const accepted = { ok: true, value: { replayed: false } };
const replayed = { ok: true, value: { replayed: true } };

describe("a payment request under a key", () => {
  it("charges once, although its caller makes a new session for each try", async () => {
    const { another, platform, sent, till } = await aPartnerWithKeys();
    const first = await sent();
    expect(first.answer).toMatchObject(accepted);
    expect((await sent()).answer).toMatchObject(mismatch(first.sessionId)); // while its terminal is busy with the first
    await till.sendReport(first.sessionId, "authorized");
    await platform.pass();
    for (const where of [till, another])
      expect((await sent({ terminalId: where.terminalId })).answer).toMatchObject(mismatch(first.sessionId));
    expect((await sent({ sessionId: first.sessionId })).answer).toMatchObject(replayed);
    const other = await sent({ sessionId: first.sessionId, amount: 100 });
    expect(other.answer).toMatchObject({ ok: false, error: { code: "session_conflict" } });
    expect((await sent({}, { key: "another" })).answer).toMatchObject(accepted);
  });

  it("compares UUIDs in lower case, and other keys byte for byte", async () => {
    const { another, sent } = await aPartnerWithKeys();
    const uuid = "AAAAAAAA-0000-4000-8000-00000000000F";
    const { sessionId } = await sent({}, { key: uuid });
    const there = { terminalId: another.terminalId };
    expect((await sent(there, { key: uuid.toLowerCase() })).answer).toMatchObject(mismatch(sessionId));
    expect((await sent(there, { key: "Key" })).answer).toMatchObject(accepted);
    expect((await sent({}, { key: "key" })).answer).toMatchObject({ ok: false, error: { code: "terminal_busy" } });
  });

  it("leaves its key free if it is refused", async () => {
    const { another, sent } = await aPartnerWithKeys();
    await sent({}, { key: "another" });
    expect((await sent()).answer).toMatchObject({ ok: false, error: { code: "terminal_busy" } });
    expect((await sent({ terminalId: another.terminalId })).answer).toMatchObject(accepted);
  });

  it("has its key taken after 20 seconds if it has no outcome, and cannot be committed then", async () => {
    const { another, platform, send, sent, till } = await aPartnerWithKeys();
    const { deps, goesOn } = slow(platform);
    const first = send({}, { deps });
    await settled();
    const there = { terminalId: another.terminalId };
    for (const sessionId of [undefined, first.sessionId])
      expect((await sent({ ...there, ...(sessionId && { sessionId }) })).answer).toMatchObject(inProgress);
    await platform.deps.clock.sleep(20_000);
    const second = await sent(there);
    expect(second.answer).toMatchObject(accepted);
    goesOn();
    expect(await first.answer).toMatchObject(mismatch(second.sessionId));
    expect((await sent({ sessionId: first.sessionId })).answer).toMatchObject(mismatch(second.sessionId));
    await platform.pass(60);
    expect(await fetchNext(platform, till.terminalId)).toBeUndefined();
  });

  it("keeps its key if it commits just before that", async () => {
    const { another, platform, send, sent } = await aPartnerWithKeys();
    const { deps, goesOn } = slow(platform);
    const first = send({}, { deps });
    await settled();
    await platform.deps.clock.sleep(20_000);
    const { abortCommand } = platform.deps.commands;
    const late = {
      ...platform.deps.commands,
      async abortCommand(...given: Parameters<typeof abortCommand>) {
        goesOn();
        await first.answer;
        await abortCommand(...given);
      },
    };
    const second = await sent({ terminalId: another.terminalId }, { deps: { ...platform.deps, commands: late } });
    expect(second.answer).toMatchObject(mismatch(first.sessionId));
    expect(await first.answer).toMatchObject(accepted);
  });

  it("can be repeated after 20 seconds at another terminal, and its first try cannot be committed then", async () => {
    const { another, platform, send, sent } = await aPartnerWithKeys();
    const { deps, goesOn } = slow(platform);
    const { sessionId, answer } = send({}, { deps });
    await settled();
    await platform.deps.clock.sleep(20_000);
    expect((await sent({ sessionId, terminalId: another.terminalId })).answer).toMatchObject(accepted);
    goesOn();
    expect(await answer).toMatchObject({ ok: false });
  });

  it("is neither shown to a key that does not reach its terminal, nor aborted by it", async () => {
    const { another, platform, send, sent } = await aPartnerWithKeys();
    const { deps, goesOn } = slow(platform);
    const first = send({}, { deps });
    await settled();
    await platform.deps.clock.sleep(20_000);
    const by = { ...caller, keyId: "k2", terminalIds: [another.terminalId] };
    expect((await sent({ terminalId: another.terminalId }, { by })).answer).toEqual(mismatchAlone);
    goesOn();
    expect(await first.answer).toMatchObject(accepted);
    expect((await sent({ terminalId: another.terminalId }, { by })).answer).toEqual(mismatchAlone);
  });

  it("is charged once of twenty at once, of one session or of many", async () => {
    for (const isSame of [true, false]) {
      const { another, platform, send, till } = await aPartnerWithKeys();
      const { sessionId } = aRequest();
      const all = Array.from({ length: 20 }, (_, i) =>
        send({ terminalId: (isSame || i % 2 ? till : another).terminalId, ...(isSame && { sessionId }) }),
      );
      const answers = await Promise.all(all.map(({ answer }) => answer));
      expect(answers.filter((one) => one.ok && !one.value.replayed)).toHaveLength(1);
      for (const one of answers)
        if (!one.ok) expect(one.error.code).toMatch(/^(idempotency_(mismatch|in_progress)|terminal_busy)$/);
      await platform.pass();
      const messages = await Promise.all([till, another].map((at) => fetchNext(platform, at.terminalId)));
      expect(messages.filter((one) => one !== undefined)).toHaveLength(1);
    }
  });

  it("keeps its key for seven days", async () => {
    const { platform, sent } = await aPartnerWithKeys();
    const { sessionId } = await sent();
    await platform.pass(7 * DAY);
    await run(platform, "idempotencyKeys");
    expect((await sent()).answer).toMatchObject(mismatch(sessionId));
    await platform.pass(DAY);
    expect(await plan(platform, "idempotencyKeys")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "idempotencyKeys")).toMatchObject({ removed: 1, rows: 2 });
    expect((await sent()).answer).not.toMatchObject({ error: { code: "idempotency_mismatch" } });
  });
});

describe("a change of a payment under a key", () => {
  async function anAuthorization() {
    const partner = await aPartnerWithKeys();
    const { platform, sent, till } = partner;
    const { sessionId } = await sent({ captureMode: "manual" }, { key: "the request" });
    await till.sendReport(sessionId, "authorized");
    await platform.pass();
    const target = { sessionId, terminalId: till.terminalId };
    const call = callOf(platform.deps, caller);
    return {
      ...partner,
      sessionId,
      capture: ({ deps = platform.deps, ...more }: { captureAmount?: number; deps?: Platform["deps"] } = {}) =>
        capturePayment(deps, call, { ...target, idempotencyKey: KEY, ...more }),
      cancel: ({
        deps = platform.deps,
        ...more
      }: { sessionId?: string; idempotencyKey?: string; deps?: Platform["deps"] } = {}) =>
        cancelPayment(deps, call, { ...target, idempotencyKey: KEY, ...more }),
    };
  }

  it("is made once: a capture that failed is not sent again by its retry", async () => {
    const { capture, cancel, platform, sent, sessionId, till } = await anAuthorization();
    expect(await capture()).toMatchObject(accepted);
    expect(await capture()).toMatchObject(replayed);
    expect(await capture({ captureAmount: 100 })).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    expect(await cancel()).toMatchObject(mismatch(sessionId));
    expect((await sent()).answer).toMatchObject(mismatch(sessionId));
    await platform.pass();
    await till.sendReport(sessionId, "captureFailed", { chargeId: approval.chargeId });
    await platform.pass();
    expect(await capture()).toMatchObject({ ...replayed, value: { payment: { status: "authorized" } } });
  });

  it("shows a replay the payment after the accepted change, although it read it before", async () => {
    const { capture, platform } = await anAuthorization();
    const { payments, idempotencyKeys } = platform.deps;
    const { promise: whenMade, resolve: made } = Promise.withResolvers<void>();
    let reads = 0;
    const late = {
      payments: {
        ...payments,
        async findOrTombstone(...given: Parameters<typeof payments.findOrTombstone>) {
          const found = await payments.findOrTombstone(...given);
          if (reads++ === 0) made(void (await capture()));
          return found;
        },
      },
      idempotencyKeys: {
        ...idempotencyKeys,
        async find(...given: Parameters<typeof idempotencyKeys.find>) {
          await whenMade;
          return idempotencyKeys.find(...given);
        },
      },
    };
    const replay = await capture({ deps: { ...platform.deps, ...late } });
    expect(replay).toMatchObject({ ...replayed, value: { payment: { status: "captureRequested" } } });
  });

  it("keeps its key, although the repeat of a cancel looked for the payment before its request", async () => {
    const { cancel, platform } = await anAuthorization();
    expect(await cancel()).toMatchObject(accepted);
    const { payments } = platform.deps;
    let looksBefore = 3; // of the change, of its session and of the tombstone
    const findOrTombstone: typeof payments.findOrTombstone = async (key) =>
      looksBefore-- > 0 ? undefined : payments.findOrTombstone(key);
    const late = await cancel({ deps: { ...platform.deps, payments: { ...payments, findOrTombstone } } });
    expect(late).toMatchObject(replayed);
    expect(await cancel()).toMatchObject(replayed);
  });

  it("is replayed at once, although a cancel of a payment that its terminal never had has no effects", async () => {
    const { platform, till, sent } = await aPartnerWithKeys();
    const { sessionId } = await sent({}, { key: "the request" });
    const target = { sessionId, terminalId: till.terminalId, idempotencyKey: KEY };
    const cancel = () => cancelPayment(platform.deps, callOf(platform.deps, caller), target);
    expect(await cancel()).toMatchObject({ ...accepted, value: { payment: { status: "cancelled" } } });
    expect(await cancel()).toMatchObject(replayed);
  });

  it("cancels once, also a session that was never requested", async () => {
    const { cancel, sent, sessionId } = await anAuthorization();
    expect(await cancel({ idempotencyKey: "the request" })).toMatchObject(mismatch(sessionId));
    const never = { sessionId: aRequest().sessionId };
    const refused = { ok: false, error: { code: "payment_never_requested" } };
    for (let i = 0; i < 2; i++) expect(await cancel(never)).toMatchObject(refused);
    expect(await cancel()).toMatchObject(mismatch(never.sessionId));
    expect((await sent()).answer).toMatchObject(mismatch(never.sessionId));
    expect(await cancel({ idempotencyKey: "another" })).toMatchObject({ ok: true });
  });
});

it("a response to an action request is looked up by its key before its target", async () => {
  const platform = await aPlatform();
  const { deps } = platform;
  const [one, two] = ["abababab-0000-4000-8000-000000000001", "abababab-0000-4000-8000-000000000002"] as const;
  const raise = (actionRequestId: string) =>
    raiseActionRequest(deps, callFrom(deps, aTerminal()), {
      actionRequestId,
      idAsReceived: actionRequestId,
      actionCode: "openGate",
      withdraw: false,
    });
  const respond = (actionRequestId?: string) =>
    respondToActionRequest(deps, callOf(deps, caller), {
      responseCode: "accepted",
      actionRequestId,
      idempotencyKey: KEY,
    });
  await raise(one);
  expect(await respond(one)).toMatchObject(accepted);
  await raise(two);
  expect(await respond()).toMatchObject({ ...replayed, value: { action: { actionRequestId: one } } });
  expect(await respond(two)).toEqual(mismatchAlone);
  expect(await respond("abababab-0000-4000-8000-000000000003")).toEqual(mismatchAlone);
  expect((await deps.actionRequests.pending(caller.partnerId)).map(({ actionRequestId }) => actionRequestId)).toEqual([
    two,
  ]);
});
