import { expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { paymentsOfDay } from "../../../shared/use-cases/operator/repair/list-payments.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { recordTotals } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { callFrom } from "../../support/calls.ts";
import { aToken } from "../../support/consumer.ts";
import { aTerminal, callBy, partnerId, terminalId } from "../../support/platform.ts";
import { DAY, run } from "../../support/purging.ts";
import { allOf, aRestorable, authorized, copyOf } from "./a-restorable.ts";

const closed = { closingId: "n1", idAsReceived: "N1", day: "2026-11-21", totals: [] };

it("payments are listed after a restore on each day on which they changed", async () => {
  const restorable = await aRestorable();
  const { exportAll, platform, restore } = restorable;
  const payment = await authorized(restorable, { captureMode: "automatic" });
  await platform.pass(2 * DAY);
  await payment.refund(25);
  await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId });
  const { sessionId: later } = await authorized(restorable);
  await exportAll();
  await restore();
  const listed = async (day: string) => (await paymentsOfDay(platform.deps, day)).map(({ sessionId }) => sessionId);
  expect(await listed("2026-11-21")).toEqual([payment.sessionId]);
  expect(await listed("2026-11-22")).toEqual([]);
  expect(await listed("2026-11-23")).toEqual([payment.sessionId, later]);
});

it("a purge removes after a restore what it would have removed without it", async () => {
  const restorable = await aRestorable();
  const { exportAll, platform, restore, whole } = restorable;
  const { deps } = platform;
  const names = {
    cancelled: "eeeeeeee-0000-4000-8000-00000000dead",
    aborted: "eeeeeeee-0000-4000-8000-00000000beef",
    action: "abababab-0000-4000-8000-000000000001",
    noAction: "abababab-0000-4000-8000-000000000002",
  };
  const { sessionId } = await authorized(restorable, { captureMode: "automatic" });
  await cancelPayment(deps, callBy(deps), { sessionId: names.cancelled, terminalId });
  const never = paymentSubjectOf({ partnerId, terminalId, sessionId: names.aborted });
  await deps.commands.abortCommand(never, "c1", deps.clock.now());
  const requested = { actionRequestId: names.action, idAsReceived: names.action, actionCode: "gate", withdraw: false };
  await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
  const noAction = { kind: "actionRequest", partnerId, actionRequestId: names.noAction } as const;
  await deps.commands.abortCommand(noAction, "c1", deps.clock.now());
  await aToken(platform);
  await recordTotals(deps, callFrom(deps, aTerminal()), closed);
  await platform.pass(1_200); // past the grace time

  await exportAll();
  await restore();
  const left = async () => {
    const tables = ["terminals", "sessions", "actionRequests", "landingPages"] as const;
    const all = await Promise.all(tables.map(async (table) => allOf(whole()[table].rowsAfter())));
    const named = new RegExp([sessionId, ...Object.values(names), `^${terminalId} .*day~`, "request~"].join("|"), "i");
    return all
      .flatMap((rows) => rows.map((row) => `${row.partitionKey} ${row.rowKey}`))
      .filter((row) => named.test(row) && !/ (booking|late)~/.test(row)); // these have their own retention
  };
  expect((await left()).length).toBeGreaterThan(20);
  await platform.pass((retentionTable.payments.days + 2) * DAY);
  for (const kind of ["payments", "actionRequests", "tokenRequests", "terminalDays"] as const)
    await run(platform, kind);
  expect(await left()).toEqual([]);
});

it("a terminal's day that was exported before its comparison is compared again, and its event is sent once", async () => {
  const { exportAll, platform, restore, whole } = await aRestorable();
  const { deps, webhooksSent } = platform;
  await recordTotals(deps, callFrom(deps, aTerminal()), closed);
  const then = await copyOf(whole().terminals);
  const { send } = deps.webhooks;
  deps.webhooks.send = async () => ({ kind: "failed", reason: "status", status: 500, ms: 1 });
  await platform.pass(1);
  const now = whole().terminals;
  const torn: typeof now = {
    ...now,
    async *rowsAfter(after) {
      for await (const row of now.rowsAfter(after))
        yield (row.rowKey === `day~${closed.day}` && (await then.get(row.partitionKey, row.rowKey))) || row;
    },
  };
  await exportAll({ ...whole(), terminals: torn });
  deps.webhooks.send = send;
  await restore();
  await platform.pass(1_200);
  expect(webhooksSent.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(["day.closed"]);
});
