import { describe, expect, it } from "vitest";
import { nextToHandOut, type InboxMessage } from "../../../shared/domain/terminal-inbox.ts";
import { after } from "../../../shared/domain/time.ts";

const now = "2026-11-21T10:00:00.000Z";
const poll = { now, leaseSeconds: 10 };

const entry = (
  session: string,
  sequence: number,
  message: InboxMessage["message"],
  more: Partial<InboxMessage> = {},
): InboxMessage => ({
  slot: { createdAt: now, sessionId: session, sequence },
  messageId: `${session}-${sequence}`,
  message,
  state: "fetched",
  isHeld: false,
  ...more,
});
const payment = (session: string, more: Partial<InboxMessage> = {}) =>
  entry(session, 1, { type: "payment", amount: 12_550, currency: "SEK", captureMode: "manual" }, more);
const until = (seconds: number) => ({ leasedUntil: after(now, seconds) });
const next = (entries: readonly InboxMessage[], received?: string) =>
  nextToHandOut(entries, { ...poll, received })?.messageId;

describe("a payment message", () => {
  it("is delivered until it expires, and not after that", () => {
    expect(next([payment("s1", { expiresAt: after(now, 0.001) })])).toBe("s1-1");
    expect(next([payment("s1", { expiresAt: now })])).toBeUndefined();
  });

  it("does not hold back other messages after it has expired", () => {
    const refund = entry("s1", 7, { type: "refund", refundId: "r1", amount: 100, currency: "SEK", reason: "" });
    expect(next([payment("s1", { expiresAt: now, ...until(5) }), refund])).toBe("s1-7");
  });

  it.each([
    ["a cancel", { type: "cancel" }],
    ["a status query", { type: "statusQuery" }],
  ] as const)(
    "does not hold %s of its session back, even while it is leased, and is not handed out again",
    (_, message) => {
      const calledOff = [payment("s1", until(5)), entry("s1", 4, message, { state: "waiting" })];
      expect(next(calledOff)).toBe("s1-4");
      expect(next([payment("s1"), entry("s1", 4, message, until(5))])).toBeUndefined();
    },
  );

  it.each([
    ["a cancel of another session", entry("s2", 4, { type: "cancel" })],
    ["a question about a refund", entry("s1", 4, { type: "statusQuery", refundId: "r1" })],
    ["a discount", entry("s1", 4, { type: "discount", discountId: "d1", amount: 1, newTotal: 1, currency: "SEK" })],
  ] as const)("is not called off by %s", (_, other) => {
    expect(next([payment("s1"), other])).toBe("s1-1");
  });
});

describe("a message that is held", () => {
  const held = { state: "waiting", isHeld: true } as const;

  it("is not handed out, and holds back no other message of its terminal or session", () => {
    expect(next([payment("s1", held)])).toBeUndefined();
    expect(next([payment("s1", held), payment("s2")])).toBe("s2-1");
    expect(next([entry("s1", 4, { type: "cancel" }, held), entry("s1", 5, { type: "statusQuery" })])).toBe("s1-5");
  });

  it.each([{ type: "cancel" }, { type: "statusQuery" }] as const)("calls its payment off if it is a %j", (message) => {
    expect(next([payment("s1"), entry("s1", 4, message, held)])).toBeUndefined();
    expect(next([payment("s1"), entry("s1", 4, message, held), payment("s2")])).toBe("s2-1");
  });

  it("holds its session back if it is a query that comes first", () => {
    const capture = entry("s1", 5, { type: "capture", amount: 100, currency: "SEK" });
    const query = entry("s1", 9, { type: "statusQuery", first: true }, held);
    expect(next([capture, query])).toBeUndefined();
    expect(next([capture, { ...query, isHeld: false }])).toBe("s1-9");
  });

  it("is not handed out although the terminal says that it lost it", () => {
    expect(next([payment("s1", held)], "answered")).toBeUndefined();
  });
});

describe("a terminal that names the last message that arrived", () => {
  it("gets a message that was delivered later at once, because it did not arrive", () => {
    const [first, second] = [payment("s1", until(5)), payment("s2", until(8))];
    expect(next([first, second])).toBeUndefined();
    expect(next([first, second], "s1-1")).toBe("s2-1");
  });

  it("does not get a message that was delivered earlier before its lease is over", () => {
    expect(next([payment("s1", until(5)), payment("s2", until(8))], "s2-1")).toBeUndefined();
  });

  it("gets any leased message when it has answered the one that it names", () => {
    expect(next([payment("s1", until(5))], "answered")).toBe("s1-1");
  });
});

describe("a capture, void or refund that was not fetched", () => {
  const waits = { state: "waiting" } as const;
  const money = { amount: 100, currency: "SEK" };
  const refund = entry("s1", 5, { type: "refund", refundId: "r1", reason: "", ...money }, waits);
  const capture = entry("s2", 2, { type: "capture", ...money }, waits);

  it("is delivered after everything else, the oldest first", () => {
    expect(next([refund, capture, payment("s3", waits)])).toBe("s3-1");
    expect(next([refund, capture, payment("s3", until(5))])).toBe("s1-5");
    expect(next([refund, { ...capture, state: "fetched" }])).toBe("s2-2");
  });

  it("keeps its place among the messages of its session", () => {
    const query = entry("s1", 6, { type: "statusQuery" }, waits);
    expect(next([refund, query, capture])).toBe("s1-5");
    expect(next([{ ...refund, ...until(5), state: "fetched" }, query, capture])).toBe("s2-2");
  });
});

describe("a status query that comes first", () => {
  const query = entry("s1", 9, { type: "statusQuery", first: true }, { state: "waiting" });
  const capture = entry("s1", 5, { type: "capture", amount: 100, currency: "SEK" });
  const later = entry("s1", 11, { type: "void", amount: 100, currency: "SEK" }, { state: "waiting" });

  it("is delivered before earlier messages, and holds them and later ones back while it is leased", () => {
    expect(next([capture, query, later])).toBe("s1-9");
    expect(next([capture, { ...query, state: "fetched", ...until(5) }, later])).toBeUndefined();
  });

  it("holds back no message of another session, and none once it is answered", () => {
    const other = entry("s2", 3, { type: "cancel" });
    expect(next([capture, { ...query, state: "fetched", ...until(5) }, other])).toBe("s2-3");
    expect(next([capture, later])).toBe("s1-5");
  });
});
