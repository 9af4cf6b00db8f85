import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCK_MS, MAX_DELIVERIES, seenBy, startAll, stateOf } from "./running-queues.ts";

let all: Awaited<ReturnType<typeof startAll>>;
beforeAll(async () => {
  all = await startAll();
});
afterAll(() => all[Symbol.asyncDispose]());

describe("what becomes of a message", () => {
  it("is completed when the function returns", async () => {
    await using own = await startAll();
    await own.send("notes", { body: "done" });
    await seenBy(own.host, "notes", 1);
    await expect.poll(() => own.messagesIn("notes")).toEqual([]);
    expect(await own.messagesIn("notes", "deadLetter")).toEqual([]);
  });

  it("is left alone when the function returns and the app settles by itself", async () => {
    await all.send("kept", { body: "mine" });
    await seenBy(all.host, "kept", 1);
    expect((await all.messagesIn("kept")).map(({ body }) => body as unknown)).toEqual(["mine"]);
  });

  it("is handed out again at once when the function throws, until it is dead", async () => {
    await all.send("fails", { body: "bad", messageId: "bad" });
    await expect.poll(async () => (await all.messagesIn("fails", "deadLetter")).length).toBe(1);
    const deliveries = (await seenBy(all.host, "fails", MAX_DELIVERIES)).map(
      (seen) => seen.triggerMetadata["deliveryCount"],
    );
    expect(deliveries).toEqual([1, 2, 3, 4]);
    const [dead] = await all.messagesIn("fails", "deadLetter");
    expect(dead?.deadLetterReason).toBe("MaxDeliveryCountExceeded");
    expect(all.host.log.join("\n")).toContain("error fails the function failed on message bad: Error: not this one");
  });

  it("is worked on beside others, as many as host.json says", async () => {
    await all.send(
      "waits",
      Array.from({ length: 7 }, (_, index) => ({ body: index })),
    );
    await expect.poll(async () => (await stateOf(all.host)).running).toBe(3);
    for (const seen of [6, 7]) {
      await fetch(`${all.host.url}/release`);
      await seenBy(all.host, "waits", seen);
    }
    await fetch(`${all.host.url}/release`);
    await expect.poll(() => all.messagesIn("waits")).toEqual([]);
    expect((await stateOf(all.host)).mostAtOnce).toBe(3);
  });

  it("stays locked while the function runs, longer than its lock lasts", async () => {
    await using own = await startAll();
    await own.send("waits", { body: "long work" });
    await seenBy(own.host, "waits", 1);
    // When a scheduled message arrives, three lock durations have passed.
    await own.send("notes", { body: "later", scheduledEnqueueTimeUtc: new Date(Date.now() + 3 * LOCK_MS) });
    await seenBy(own.host, "notes", 1);
    await fetch(`${own.host.url}/release`);
    await expect.poll(() => own.messagesIn("waits")).toEqual([]);
    expect(await seenBy(own.host, "waits", 1)).toHaveLength(1);
  });
});
