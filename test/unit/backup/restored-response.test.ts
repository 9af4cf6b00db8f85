import { expect, it } from "vitest";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { respondToActionRequest } from "../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import { acknowledgeActionResponse } from "../../../shared/use-cases/terminals/acknowledge-action-response.ts";
import { callFrom } from "../../support/calls.ts";
import { aTerminal, callBy, terminalId } from "../../support/platform.ts";
import { aRestorable, copyOf } from "./a-restorable.ts";

const actionRequestId = "abababab-0000-4000-8000-000000000001";

it.each([
  ["waits for its terminal at the export", "before", 1],
  ["was given after its terminal was exported", "during", 1],
  ["was acknowledged before the export", "acknowledged", 0],
] as const)(
  "a response that %s is handed out after a restore, if the terminal lacks it",
  async (_, given, expected) => {
    const { exportAll, platform, restore, whole } = await aRestorable();
    const { deps } = platform;
    const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
    await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
    const asExported = given === "during" ? { terminals: await copyOf(whole().terminals) } : {};
    expect(
      await respondToActionRequest(deps, callBy(deps), { responseCode: "accepted", actionRequestId }),
    ).toMatchObject({
      ok: true,
    });
    await platform.pass();
    if (given === "acknowledged") await acknowledgeActionResponse(deps, terminalId, actionRequestId);

    await exportAll({ ...whole(), ...asExported });
    await restore();
    const entries = await deps.inboxes.unanswered(terminalId);
    expect(entries.map(({ message }) => message)).toEqual(
      Array.from({ length: expected }, () => ({ type: "actionAnswer", actionRequestId, responseCode: "accepted" })),
    );
  },
);
