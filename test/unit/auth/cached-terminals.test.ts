import { describe, expect, it } from "vitest";
import { cachedTerminals } from "../../../shared/edge/auth/cached-terminals.ts";
import { aPlatform, aTerminal, terminalId } from "../../support/platform.ts";

const keyHash = "another";

describe("cached terminals", () => {
  it("accept a replaced key for ten seconds more, and not longer", async () => {
    const { deps } = await aPlatform();
    const cached = cachedTerminals(deps.terminals, deps.clock);
    expect(await cached.findKey(terminalId)).toMatchObject({ keyHash: "" });
    await deps.terminals.save(aTerminal({ keyHash }), (await deps.terminals.find(terminalId))?.etag);
    await deps.clock.sleep(9_999);
    expect(await cached.findKey(terminalId)).toMatchObject({ keyHash: "" });
    await deps.clock.sleep(1);
    expect(await cached.findKey(terminalId)).toMatchObject({ keyHash });
  });

  it("read status and heartbeat each time", async () => {
    const { deps } = await aPlatform();
    const cached = cachedTerminals(deps.terminals, deps.clock);
    await cached.findKey(terminalId);
    await deps.terminals.save(aTerminal({ status: "closed" }), (await cached.find(terminalId))?.etag);
    await deps.terminals.seen(terminalId, "2026-11-21T10:00:09.000Z");
    expect(await cached.find(terminalId)).toMatchObject({
      terminal: { status: "closed" },
      lastSeenAt: "2026-11-21T10:00:09.000Z",
    });
  });
});
