import { InvocationContext } from "@azure/functions";
import { describe, expect, it } from "vitest";
import { terminalMessages } from "../../../functions/workers/terminal-messages.ts";
import { aPlatform } from "../../support/platform.ts";

it.each(["2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00", "2026-11-21T12:00:00+02:00"])(
  "a worker reads the host's enqueued time as UTC, however it is written: %s",
  async (enqueuedTimeUtc) => {
    const { deps, queued } = await aPlatform();
    const subject = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
    const context = new InvocationContext({ triggerMetadata: { enqueuedTimeUtc } });
    await terminalMessages.handler(deps)({ v: 1, subject, commandId: "c", effect: "message" }, context);
    expect(queued).toMatchObject([{ announcement: { firstEnqueuedAt: "2026-11-21T10:00:00.000Z", lookups: 1 } }]);
  },
);

describe("a message of a later version", () => {
  const enqueuedTimeUtc = "2026-11-21T10:00:00.000Z";
  const text = '{"v":3,"subject":{"kind":"payment"},"more":[1.5,"ü"]}';
  /** Gives a worker the message, with the host's metadata of it. */
  async function worked(message: unknown, more: Record<string, unknown> = {}) {
    const { deps, passedOn } = await aPlatform();
    const triggerMetadata = { enqueuedTimeUtc, contentType: "application/json", ...more };
    await terminalMessages.handler(deps)(message, new InvocationContext({ triggerMetadata }));
    return passedOn;
  }

  it("is deferred unchanged, for a minute", async () => {
    const [sent] = await worked(JSON.parse(text));
    expect(sent).toMatchObject({ queue: "terminal-messages", at: "2026-11-21T10:01:00.000Z" });
    expect(Buffer.from(sent?.message.body ?? []).toString()).toBe(text);
    expect(sent?.message.contentType).toBe("application/json");
  });

  it.each([
    ["no JSON at all", "no JSON at all"],
    [Buffer.from([0, 200]), Buffer.from([0, 200])],
  ])("is deferred with any content: %j", async (message, body) => {
    const [sent] = await worked(message);
    expect(Buffer.from(sent?.message.body ?? [])).toEqual(Buffer.from(body));
  });

  it("records how long it has waited in its properties, and keeps the others", async () => {
    const [first] = await worked(JSON.parse(text), { applicationProperties: { kind: "new" } });
    expect(first?.message.properties).toEqual({ kind: "new", unreadSince: enqueuedTimeUtc, timesUnread: 1 });
    const later = { enqueuedTimeUtc: "2026-11-22T09:59:00", applicationProperties: first?.message.properties };
    const [again] = await worked(JSON.parse(text), later);
    expect(again?.message.properties).toEqual({ kind: "new", unreadSince: enqueuedTimeUtc, timesUnread: 2 });
  });

  it("is thrown once it has waited for a day, and becomes a dead letter", async () => {
    const applicationProperties = { unreadSince: "2026-11-20T10:00:00.000Z", timesUnread: 1440 };
    await expect(worked(JSON.parse(text), { applicationProperties })).rejects.toThrow(/"v"/);
  });
});
