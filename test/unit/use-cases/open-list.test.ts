import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Payments } from "../../../shared/stores/payments.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { leaveOpenList } from "../../../shared/use-cases/outbox/leave-open-list.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken } from "../../support/consumer.ts";
import {
  aPlatform,
  aRequest,
  aTerminal,
  callBy,
  partnerId,
  terminalId,
  type Platform,
} from "../../support/platform.ts";

const DAY = 24 * 3600;
/** The open subjects. A terminal's day is open until it is closed, whatever the state of its payments. */
const open = async ({ deps }: Platform) =>
  (await deps.listings.listOpen()).map(({ subject }) => subject).filter(({ kind }) => kind !== "terminalDay");
const onDay = ({ deps }: Platform, day: string) => deps.listings.ofDay(day, "payment");

async function aCaptured() {
  const payment = await aPayment({ captureMode: "automatic" });
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("accepted", { messageId });
  await payment.sendReport("authorized", { ...approval, messageId });
  const subject = paymentSubjectOf(payment.key);
  return { ...payment, subject };
}

describe("the list of open payments", () => {
  it("has a payment before it is committed, so that a crash in between does not hide it", async () => {
    const platform = await aPlatform();
    const payments: Payments = { ...platform.deps.payments, commit: async () => new Promise<never>(() => {}) };
    const request = aRequest();
    void requestPayment({ ...platform.deps, payments }, callBy(platform.deps), request);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await open(platform)).toEqual([paymentSubjectOf({ partnerId, ...request })]);
  });

  it("must be written before the commit: nothing is committed while it is unavailable", async () => {
    const platform = await aPlatform();
    platform.deps.listings.enter = async () => Promise.reject(new Unavailable("away"));
    const request = aRequest();
    await expect(requestPayment(platform.deps, callBy(platform.deps), request)).rejects.toThrow(Unavailable);
    expect(await platform.deps.payments.find({ partnerId, ...request })).toBeUndefined();
  });

  it("has a payment until it has ended and every webhook was delivered", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    const { platform, sendReport, now } = payment;
    await sendReport("accepted");
    expect(await now()).toMatchObject({ status: "inProgress", listedOn: "2026-11-21" });
    await sendReport("authorized", approval, "wait");
    const subject = paymentSubjectOf(payment.key);
    expect(await open(platform)).toEqual([subject]); // its last webhook is still to come
    await platform.pass();
    expect(await open(platform)).toEqual([]);
    expect((await now()).listedOn).toBeUndefined();
    expect(await onDay(platform, "2026-11-21")).toEqual([subject]);
  });

  it("has a payment again from a refund until that has ended", async () => {
    const { platform, subject, refund, fetch, sendReport } = await aCaptured();
    await platform.pass(200);
    await refund(25);
    expect(await open(platform)).toEqual([subject]);
    const { messageId } = (await fetch()) ?? {};
    await sendReport("refunded", { messageId }, "wait");
    expect(await open(platform)).toEqual([subject]); // its webhook is still to come
    await platform.pass();
    expect(await open(platform)).toEqual([]);
  });

  it("has a payment until an earlier webhook, whose server failed for a while, was delivered", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    const { platform, sendReport } = payment;
    const { send } = platform.deps.webhooks;
    platform.deps.webhooks.send = async (request) => {
      const answer = await send(request);
      const isFirst = request.body.includes("payment.inProgress");
      return isFirst && platform.webhooksSent.length < 4
        ? { kind: "failed", reason: "status", status: 500, ms: 1 }
        : answer;
    };
    await sendReport("accepted");
    await sendReport("authorized", approval);
    expect(await open(platform)).toHaveLength(1); // ended, and its last webhook delivered, but not every earlier one
    await platform.pass(60);
    expect(await open(platform)).toEqual([]);
  });

  it("has a payment until each webhook was delivered, even if an earlier one began before the payment ended and is taken last", async () => {
    const { platform, sendReport, capture, fetch, events } = await aPayment();
    const { send } = platform.deps.webhooks;
    let isAway = true;
    let meanwhile: (() => Promise<unknown>) | undefined = async () => {
      await sendReport("authorized", { ...approval, messageId: (await fetch())?.messageId });
      await capture();
      await sendReport("captured", { messageId: (await fetch())?.messageId });
    };
    platform.deps.webhooks.send = async (request) => {
      const act = request.body.includes("payment.inProgress") ? meanwhile : undefined;
      if (act) meanwhile = undefined;
      await act?.();
      return isAway && request.body.includes("payment.authorized")
        ? { kind: "failed", reason: "status", status: 500, ms: 1 }
        : send(request);
    };
    await sendReport("accepted");
    expect(events()).toEqual(["payment.captured", "payment.inProgress"]);
    expect(await open(platform)).toHaveLength(1);
    isAway = false;
    await platform.pass(60);
    expect(await open(platform)).toEqual([]);
  });

  it("drops a payment that its partner cancelled in time, without a webhook", async () => {
    const { platform, cancel, now } = await aPayment();
    await cancel();
    expect(await now()).toMatchObject({ status: "cancelled" });
    await platform.pass();
    expect(await open(platform)).toEqual([]);
  });

  it("drops a payment although a duplicate request entered it again", async () => {
    const platform = await aPlatform();
    const request = aRequest({ captureMode: "automatic" });
    const { enter } = platform.deps.listings;
    platform.deps.listings.enter = async (...given) => {
      platform.deps.listings.enter = enter;
      const entry = await enter(...given);
      await requestPayment(platform.deps, callBy(platform.deps), request); // its entry is the older one
      await enter(...given);
      return entry;
    };
    await requestPayment(platform.deps, callBy(platform.deps), request);
    await platform.pass(200);
    expect((await platform.deps.payments.find({ partnerId, ...request }))?.payment.status).toBe("expired");
    expect(await open(platform)).toEqual([]);
  });

  it("drops a payment that has ended, with its messages that were still held", async () => {
    const { platform, fetch, sendReport, cancel, now } = await aPayment();
    await sendReport("accepted", { messageId: (await fetch())?.messageId });
    await cancel();
    platform.queued.splice(0, Infinity, ...platform.queued.filter(({ queue }) => queue !== "terminal-messages"));
    await sendReport("declined");
    expect(await now()).toMatchObject({ status: "declined" });
    const { inboxes } = platform.deps;
    expect(await inboxes.unanswered(terminalId)).toEqual([]);
    expect(await open(platform)).toEqual([]);
  });

  it("keeps a payment in doubt although it has no effect to carry out", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.platform.pass(3 * DAY);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    expect(await open(payment.platform)).toHaveLength(1);
  });

  it("drops a payment at the next delivery when the worker crashed before it did", async () => {
    const { platform } = await aCaptured();
    const { leaveOpen } = platform.deps.listings;
    platform.deps.listings.leaveOpen = async () => {
      platform.deps.listings.leaveOpen = leaveOpen;
      throw new Unavailable("away");
    };
    await platform.pass(200);
    expect(await open(platform)).toEqual([]);
  });

  it("keeps a payment that is committed again while it is being dropped", async () => {
    const { platform, subject, refund, now } = await aCaptured();
    await platform.pass(200);
    await platform.deps.listings.enter(subject, { day: "2026-11-21", isOpen: true, at: "2026-11-21T10:10:00.000Z" });
    const { ofSubject } = platform.deps.commands;
    platform.deps.commands.ofSubject = async (of) => {
      const read = await ofSubject(of);
      platform.deps.commands.ofSubject = ofSubject;
      await refund(25); // between the check and the removal
      return read;
    };
    await leaveOpenList(platform.deps, subject);
    expect(await now()).toMatchObject({ refunds: [{ status: "pending" }] });
    expect(await open(platform)).toEqual([subject]);
  });

  it("fails a commit that was decided before the payment was dropped", async () => {
    const { platform, subject, refund } = await aCaptured();
    await platform.pass(200);
    const { enter } = platform.deps.listings;
    platform.deps.listings.enter = async (...given) => {
      platform.deps.listings.enter = enter;
      const entry = await enter(...given);
      await leaveOpenList(platform.deps, subject); // sees the entry, and a payment that has ended
      expect(await open(platform)).toEqual([]);
      return entry;
    };
    expect(await refund(25)).toMatchObject({ code: "ok", replayed: false });
    expect(await open(platform)).toEqual([subject]);
  });
});

describe("the lists of days", () => {
  it("have a payment on each day with a commit of it", async () => {
    const { platform, subject, refund } = await aCaptured();
    await platform.pass(DAY);
    await refund(25);
    expect(await onDay(platform, "2026-11-21")).toEqual([subject]);
    expect(await onDay(platform, "2026-11-22")).toEqual([subject]);
    expect(await onDay(platform, "2026-11-23")).toEqual([]);
  });
});

describe("the list of open requests", () => {
  it("has an action request until it got a response or expired, and every webhook was delivered", async () => {
    const platform = await aPlatform();
    const ids = ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"] as const;
    for (const actionRequestId of ids) {
      const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
      await raiseActionRequest(platform.deps, callFrom(platform.deps, aTerminal()), requested);
    }
    await platform.pass();
    expect(await platform.deps.listings.listOpen("actionRequest")).toHaveLength(2);
    const [one, other] = await Promise.all(
      ids.map((actionRequestId) =>
        platform.deps.commands.ofSubject({ kind: "actionRequest", partnerId, actionRequestId }),
      ),
    );
    expect([one?.length, other?.length]).toEqual([1, 1]);
    await platform.pass(121);
    expect(await open(platform)).toEqual([]);
  });

  it("has a customer's request until its mail was sent", async () => {
    const platform = await aPlatform();
    await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
    const requested = await requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken());
    expect(requested.ok).toBe(true);
    expect(await open(platform)).toMatchObject([{ kind: "tokenRequest" }]);
    await platform.pass();
    expect(platform.mailsSent).toHaveLength(1);
    expect(await open(platform)).toEqual([]);
  });
});
