import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { respondToActionRequest } from "../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import { acknowledgeActionResponse } from "../../../shared/use-cases/terminals/acknowledge-action-response.ts";
import { fetchNext } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { aPlatform, aTerminal, callBy, terminalId } from "../../support/platform.ts";

const raisedId = "ABABABAB-0000-4000-8000-00000000000A";

describe("a response to an action request", () => {
  const actionRequestId = raisedId.toLowerCase();

  /** A response of the partner that no worker has filed yet, with its announcement. */
  async function responded() {
    const platform = await aPlatform();
    const { deps } = platform;
    const requested = { actionRequestId, idAsReceived: raisedId, actionCode: "openGate", withdraw: false };
    await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
    await platform.pass();
    await respondToActionRequest(deps, callBy(deps), { responseCode: "accepted", actionRequestId });
    const announced = platform.queued.find(({ announcement }) => announcement.effect === "message");
    if (!announced) throw new Error("no message was announced");
    platform.queued.splice(platform.queued.indexOf(announced), 1);
    /** The terminal gets the response and says so. */
    const acknowledge = async () => {
      expect((await fetchNext(platform))?.message).toMatchObject({ type: "actionAnswer", responseCode: "accepted" });
      await acknowledgeActionResponse(deps, terminalId, actionRequestId);
    };
    return { platform, deps, announced, acknowledge };
  }

  it("is handed out once it is filed, although its announcement is delivered twice", async () => {
    const { platform, deps, announced, acknowledge } = await responded();
    expect(await fetchNext(platform)).toBeUndefined();
    await platform.handle(announced);
    await platform.handle(announced);
    expect(await deps.inboxes.unanswered(terminalId)).toHaveLength(1);
    await acknowledge();
    expect(await fetchNext(platform)).toBeUndefined();
  });

  it("is filed once although another worker was faster, and its terminal has acknowledged it by then", async () => {
    const { platform, deps, announced, acknowledge } = await responded();
    const { file } = deps.inboxes;
    let filed = 0;
    deps.inboxes.file = async (...given) => {
      if (filed++ === 0) {
        await platform.handle(announced);
        await acknowledge();
      }
      return file(...given);
    };
    await platform.handle(announced);
    expect(filed).toBe(2);
    expect(await deps.inboxes.unanswered(terminalId)).toEqual([]);
  });

  it("is filed once although its worker died before it marked it done, and was delivered again after the acknowledgement", async () => {
    const { platform, deps, announced, acknowledge } = await responded();
    const { markDone } = deps.commands;
    deps.commands.markDone = async () => {
      deps.commands.markDone = markDone;
      throw new Unavailable("the worker died here");
    };
    await platform.handle(announced);
    await acknowledge();
    await platform.pass(24 * 3600);
    expect(await deps.inboxes.unanswered(terminalId)).toEqual([]);
    expect(await deps.commands.ofSubject(announced.announcement.subject)).toContainEqual(
      expect.objectContaining({ done: expect.arrayContaining(["message"]) as string[] }),
    );
  });
});
