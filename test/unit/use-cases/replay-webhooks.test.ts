import { describe, expect, it } from "vitest";
import { replayWebhooks } from "../../../shared/use-cases/operator/replay-webhooks.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { aPlatform, aTerminal, partnerId } from "../../support/platform.ts";

/** A payment that was accepted and declined, with a delivered webhook for each. */
async function aDeclined() {
  const platform = await aPlatform();
  const payment = await aPaymentOn(platform);
  await payment.sendReport("accepted");
  await payment.sendReport("declined");
  const key = paymentSubjectOf(payment.key);
  const original = [...platform.webhooksSent];
  expect(original).toHaveLength(2);
  const attempts = async () =>
    (await platform.deps.commands.attempts(key)).map(({ eventId, attempt, outcome }) => [eventId, attempt, outcome]);
  return { platform, key, original, attempts };
}

describe("webhooks that the operator replays", () => {
  it("have the same body and identifier, and their attempts continue the numbering", async () => {
    const { platform, key, original, attempts } = await aDeclined();
    const [first, second] = original;
    expect(await replayWebhooks(platform.deps, key)).toEqual([
      { eventId: first?.id, type: "payment.inProgress", attempts: 1 },
      { eventId: second?.id, type: "payment.declined", attempts: 1 },
    ]);
    await platform.pass();
    const again = platform.webhooksSent.slice(2).map(({ id, body }) => ({ id, body }));
    expect(again).toEqual(original.map(({ id, body }) => ({ id, body })));
    expect(await attempts()).toEqual([
      [first?.id, 1, "delivered"],
      [first?.id, 2, "delivered"],
      [second?.id, 1, "delivered"],
      [second?.id, 2, "delivered"],
    ]);
    expect(platform.queued.filter(({ queue }) => queue.startsWith("webhook"))).toEqual([]);
  });

  it("are only the named one; an unknown name replays none", async () => {
    const { platform, key, original } = await aDeclined();
    expect(await replayWebhooks(platform.deps, key, original[1]?.id)).toHaveLength(1);
    expect(await replayWebhooks(platform.deps, key, "none")).toEqual([]);
    expect(await replayWebhooks(platform.deps, { ...key, sessionId: "none" })).toEqual([]);
    await platform.pass();
    expect(platform.webhooksSent.slice(2).map(({ id }) => id)).toEqual([original[1]?.id]);
  });

  it("leave out a change by the partner's own call, which was never sent", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.cancel();
    expect(await replayWebhooks(platform.deps, paymentSubjectOf(payment.key))).toEqual([]);
    await platform.pass();
    expect(platform.webhooksSent).toEqual([]);
  });

  it("follow their schedule when they fail again", async () => {
    const { platform, key, original, attempts } = await aDeclined();
    const { send } = platform.deps.webhooks;
    platform.deps.webhooks.send = async (request) => {
      platform.deps.webhooks.send = send;
      platform.webhooksSent.push(request);
      return { kind: "failed", reason: "status", status: 500, ms: 1 };
    };
    await replayWebhooks(platform.deps, key, original[1]?.id);
    await platform.pass(60);
    expect((await attempts()).filter(([id]) => id === original[1]?.id)).toEqual([
      [original[1]?.id, 1, "delivered"],
      [original[1]?.id, 2, "status"],
      [original[1]?.id, 3, "delivered"],
    ]);
  });

  it("include those of an action request, but of no other", async () => {
    const platform = await aPlatform();
    const ids = ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"] as const;
    for (const actionRequestId of ids) {
      const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
      await raiseActionRequest(platform.deps, callFrom(platform.deps, aTerminal()), requested);
    }
    await platform.pass();
    const original = platform.webhooksSent.splice(0);
    const [actionRequestId] = ids;
    expect(await replayWebhooks(platform.deps, { kind: "actionRequest", partnerId, actionRequestId })).toMatchObject([
      { type: "actionRequest.created", attempts: 1 },
    ]);
    await platform.pass();
    expect(platform.webhooksSent.map(({ body }) => body)).toEqual([
      original.find(({ body }) => body.includes(actionRequestId))?.body,
    ]);
  });
});
