import { describe, expect, it } from "vitest";
import { acknowledgeActionResponse } from "../../../shared/use-cases/terminals/acknowledge-action-response.ts";
import { aPlatform, terminalId } from "../../support/platform.ts";

const raisedId = "ABABABAB-0000-4000-8000-00000000000A";
const other = "abababab-0000-4000-8000-00000000000b";
const otherTerminal = "cccccccc-0000-4000-8000-000000000002";

/** A terminal with the answer to its own action request in its inbox. */
async function answered() {
  const { deps } = await aPlatform();
  await deps.inboxes.file(terminalId, {
    slot: { createdAt: deps.clock.now(), sessionId: raisedId.toLowerCase(), sequence: 2 },
    messageId: "c1",
    message: { type: "actionAnswer", actionRequestId: raisedId, responseCode: "accepted" },
  });
  return deps;
}

describe("a report that a terminal has the response to an action request", () => {
  it.each([
    ["the terminal that raised it", terminalId, raisedId.toLowerCase(), 0],
    ["another terminal", otherTerminal, raisedId.toLowerCase(), 1],
    ["the terminal, for another of its questions", terminalId, other, 1],
  ])("that %s acknowledges", async (_, from, actionRequestId, left) => {
    const deps = await answered();
    await acknowledgeActionResponse(deps, from, actionRequestId);
    expect(await deps.inboxes.unanswered(terminalId)).toHaveLength(left);
  });
});
