import { InvocationContext } from "@azure/functions";
import { expect, it } from "vitest";
import { terminalMessages } from "../../functions/workers/terminal-messages.ts";
import { aPlatform } from "../support/platform.ts";

it.each(["2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00", "2026-11-21T12:00:00+02:00"])(
  "a worker takes the host's enqueued time as UTC, however it is written: %s",
  async (enqueuedTimeUtc) => {
    const { deps, queued } = await aPlatform();
    const subject = { kind: "payment", partnerId: "p", sessionId: "s" } as const;
    const context = new InvocationContext({ triggerMetadata: { enqueuedTimeUtc } });
    await terminalMessages.handler(deps)({ v: 1, subject, commandId: "c", effect: "admission" }, context);
    expect(queued).toMatchObject([{ announcement: { first: "2026-11-21T10:00:00.000Z", looks: 1 } }]);
  },
);

it("a message that cannot be read is thrown, and so kept with the dead letters", async () => {
  const { deps } = await aPlatform();
  const handled = terminalMessages.handler(deps)({ v: 7 }, new InvocationContext());
  await expect(Promise.resolve(handled)).rejects.toThrow(/v/);
});
