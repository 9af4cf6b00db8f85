import { expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { callFrom } from "../../support/calls.ts";
import { aTerminal } from "../../support/platform.ts";
import { DAY, aWorld, rowsOf, run } from "../../support/purging.ts";

it("purging removes an action request that has ended, with its webhooks and its answer", async () => {
  const { rows, platform } = await aWorld();
  const { deps } = platform;
  const actionRequestId = "abababab-0000-4000-8000-000000000001";
  const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
  await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
  await platform.pass(300);
  expect(rowsOf(await rows.all(), actionRequestId).length).toBeGreaterThan(4);
  await platform.pass((retentionTable.actionRequests.days + 1) * DAY);
  expect(await run(platform, "actionRequests")).toMatchObject({ removed: 1 });
  expect(rowsOf(await rows.all(), actionRequestId)).toEqual([]);
});
