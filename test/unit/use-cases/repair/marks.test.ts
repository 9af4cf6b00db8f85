import { describe, expect, it } from "vitest";
import { raiseActionRequest } from "../../../../shared/use-cases/action-requests/raise-action-request.ts";
import { actionPartition, terminalPartition } from "../../../../shared/stores/keys.ts";
import { eachTable } from "../../../../shared/stores/stores.ts";
import { OPEN_PREFIX } from "../../../../shared/stores/subject-rows.ts";
import { landingPagePartition } from "../../../../shared/stores/token-keys.ts";
import { paymentsOfDay } from "../../../../shared/use-cases/operator/repair/list-payments.ts";
import { repair } from "../../../../shared/use-cases/operator/repair/repair.ts";
import { recordTotals } from "../../../../shared/use-cases/terminal-days/record-totals.ts";
import { requestAccessToken } from "../../../../shared/use-cases/vouchers/request-access-token.ts";
import { aPayment, aPaymentOn, approval } from "../../../support/a-payment.ts";
import { aCall, callFrom } from "../../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken, landingPageId } from "../../../support/consumer.ts";
import { inMemoryRows } from "../../../support/in-memory-rows.ts";
import { openSubjects } from "../../../support/open-subjects.ts";
import { aPlatform, aTerminal, partnerId, terminalId, type Platform } from "../../../support/platform.ts";

const DAY = 24 * 3600;
const action = {
  actionRequestId: "11111111-0000-4000-8000-000000000001",
  idAsReceived: "11111111-0000-4000-8000-000000000001",
  actionCode: "openGate",
  withdraw: false,
};

/** The effects that repair would announce now, without those of terminals' and partners' days. */
async function left({ deps }: Platform): Promise<string[]> {
  const { announced } = await repair(deps, aCall(deps), { all: true, dryRun: true });
  return announced.filter(({ subject }) => !subject.kind.endsWith("Day")).map(({ effect }) => effect);
}

/** Every webhook that names this event fails once the server is away. */
function failing({ deps }: Platform, event: string) {
  const { send } = deps.webhooks;
  let isAway = true;
  deps.webhooks.send = async (request) =>
    isAway && request.body.includes(event) ? { kind: "failed", reason: "status", status: 500, ms: 1 } : send(request);
  return { isBack: () => (isAway = false) };
}

describe("repair finds a payment", () => {
  it("until it has ended and its last webhook was delivered", async () => {
    const { platform, sendReport, fetch } = await aPayment({ captureMode: "automatic" });
    await sendReport("accepted", { messageId: (await fetch())?.messageId });
    expect(await left(platform)).toEqual(["look"]);
    await sendReport("authorized", approval, "wait");
    expect(await left(platform)).toEqual(["webhook~payment.captured", "dayUpdate"]);
    await platform.pass();
    expect(await left(platform)).toEqual([]);
    expect(await openSubjects(platform.deps)).toEqual([]);
  });

  it("again from a refund until that has ended and its webhook was delivered", async () => {
    const { platform, sendReport, fetch, refund } = await aPayment({ captureMode: "automatic" });
    await sendReport("authorized", { ...approval, messageId: (await fetch())?.messageId });
    await refund(25);
    expect(await left(platform)).toEqual(["look"]);
    await sendReport("refunded", { messageId: (await fetch())?.messageId }, "wait");
    expect(await left(platform)).toEqual([expect.stringMatching(/^webhook~refund.succeeded~/)]);
    await platform.pass();
    expect(await openSubjects(platform.deps)).toEqual([]);
  });

  it("until an earlier webhook was delivered, although a later one was", async () => {
    const { platform, sendReport } = await aPayment({ captureMode: "automatic" });
    const server = failing(platform, "payment.inProgress");
    await sendReport("accepted");
    await sendReport("authorized", approval);
    expect(await left(platform)).toEqual(["webhook~payment.inProgress"]);
    server.isBack();
    await platform.pass(60);
    expect(await openSubjects(platform.deps)).toEqual([]);
  });

  it("not after its partner cancelled it in time, which sends no webhook", async () => {
    const { platform, cancel, now } = await aPayment();
    await cancel();
    await platform.pass();
    expect(await now()).toMatchObject({ status: "cancelled" });
    expect(await openSubjects(platform.deps)).toEqual([]);
  });
});

it("repair finds an action request until it expired and its webhooks were delivered", async () => {
  const platform = await aPlatform();
  await raiseActionRequest(platform.deps, callFrom(platform.deps, aTerminal()), action);
  await platform.pass();
  expect(await left(platform)).toEqual(["deadline~action"]);
  await platform.pass(121);
  expect(await openSubjects(platform.deps)).toEqual([]);
});

it("repair finds a customer's request until its mail was sent", async () => {
  const platform = await aPlatform();
  await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  await requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken());
  expect(await left(platform)).toEqual(["issue"]);
  await platform.pass();
  expect(platform.mailsSent).toHaveLength(1);
  expect(await openSubjects(platform.deps)).toEqual([]);
});

it("the list of a day has a payment on each day on which it changed", async () => {
  const payment = await aPayment({ captureMode: "automatic" });
  const { deps, pass } = payment.platform;
  await payment.sendReport("authorized", approval);
  await pass(DAY);
  await payment.refund(25);
  const onDay = async (day: string) => (await paymentsOfDay(deps, day)).map(({ sessionId }) => sessionId);
  expect(await onDay("2026-11-21")).toEqual([payment.sessionId]);
  expect(await onDay("2026-11-22")).toEqual([payment.sessionId]);
  expect(await onDay("2026-11-23")).toEqual([]);
});

describe("a mark that is missing does not stop", () => {
  /** A platform whose open marks can be lost. */
  async function aForgetful() {
    const tables = eachTable(() => inMemoryRows());
    const platform = await aPlatform({ open: (table) => tables[table] });
    const places = [
      [tables.terminals, terminalPartition],
      [tables.actionRequests, actionPartition],
      [tables.landingPages, landingPagePartition],
    ] as const;
    const forget = async () => {
      let lost = 0;
      const terminalIds = await platform.deps.partners.allTerminalIds(partnerId);
      for (const [rows, partitionOf] of places)
        for (const id of [...terminalIds, partnerId, landingPageId])
          for (const { partitionKey, rowKey, etag } of await rows.withPrefix(partitionOf(id), OPEN_PREFIX)) {
            await rows.remove(partitionKey, rowKey, etag);
            lost++;
          }
      expect(lost).toBeGreaterThan(0);
    };
    return { platform, forget };
  }

  it("a payment", async () => {
    const { platform, forget } = await aForgetful();
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await forget();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId }, "wait");
    await forget(); // before its webhook
    await platform.pass();
    await payment.sendReport("authorized", approval);
    await payment.refund(25);
    await forget();
    await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId });
    expect(await payment.now()).toMatchObject({ status: "captured", refunds: [{ status: "succeeded" }] });
    await platform.pass(600); // nothing is carried out again
    expect(await left(platform)).toEqual([]);
    expect(payment.events()).toEqual(["payment.inProgress", "payment.captured", "refund.succeeded"]);
  });

  it("an action request", async () => {
    const { platform, forget } = await aForgetful();
    await raiseActionRequest(platform.deps, callFrom(platform.deps, aTerminal()), action);
    await forget();
    await platform.pass(121);
    const { actionRequestId } = action;
    expect(await platform.deps.actionRequests.find({ partnerId, actionRequestId })).toMatchObject({
      action: { status: "expired" },
    });
  });

  it("a customer's request", async () => {
    const { platform, forget } = await aForgetful();
    await platform.deps.accessTokenTemplates.add(aTemplate(), anIssuance());
    await requestAccessToken(platform.deps, aCall(platform.deps), anAskedToken());
    await forget();
    await platform.pass();
    expect(platform.mailsSent).toHaveLength(1);
    expect(await platform.deps.landingPages.latest(landingPageId, 1)).toMatchObject([{ status: "emailed" }]);
  });

  it("a terminal's day", async () => {
    const { platform, forget } = await aForgetful();
    const day = "2026-11-21";
    await recordTotals(platform.deps, callFrom(platform.deps, aTerminal()), {
      closingId: "n1",
      idAsReceived: "N1",
      day,
      totals: [],
    });
    await forget();
    await platform.pass(1_200); // past the grace time
    expect(await platform.deps.terminalDays.find({ terminalId, day })).toMatchObject({
      terminalDay: { status: "closed" },
    });
  });
});
