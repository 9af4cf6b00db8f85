import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { terminalReportBody, unreadReport } from "../../../shared/contracts/requests/terminal-report.ts";

const ids = { reportID: randomUUID(), sessionID: randomUUID(), chargeID: randomUUID() };
const approved = { ...ids, type: "authorized", amount: 125.5, currency: "SEK" };

function read(more: Record<string, unknown>) {
  const parsed = terminalReportBody.parse({ ...approved, ...more });
  if (parsed.of !== "payment") throw new Error(`it was read as ${parsed.of}`);
  return parsed.report;
}

describe("an approval", () => {
  it.each([
    ["a detail that is too long", { detail: "å".repeat(5_000) }, { detail: "å".repeat(256) }],
    ["a detail that is no text", { detail: { code: 5 } }, { detail: undefined }],
    ["control characters", { detail: "\u0000do not\thonour" }, { detail: " do not honour" }],
    ["a brand that is too long", { card: { brand: "V".repeat(65), last4: "4242" } }, { card: { last4: "4242" } }],
    ["digits that are none", { card: { brand: "Visa", last4: "none" } }, { card: { brand: "Visa" } }],
    ["a reference with a blank", { acquirer: { rrn: "4111 1111", stan: "7" } }, { acquirer: { stan: "7" } }],
    ["a card that is a text", { card: "Visa" }, { card: undefined }],
    ["a reference that is a number", { acquirer: { rrn: 123, stan: "7" } }, { acquirer: { stan: "7" } }],
    ["a messageID that is none", { messageID: "message 7" }, { messageId: undefined }],
    ["no acquirer", { acquirer: null }, { acquirer: undefined }],
    ["a receipt that is no list", { receipt: { customer: "KÖP" } }, { receipt: {} }],
    ["a receipt that is none", { receipt: [] }, { receipt: undefined }],
    [
      "a line that is too long, and one that is none",
      { receipt: { customer: ["漢".repeat(121), 5], merchant: Array(120).fill("x") } },
      { receipt: { customer: ["漢".repeat(120), ""], merchant: Array(100).fill("x") } },
    ],
    ["a line that was null", { receipt: { customer: Array(1) } }, { receipt: { customer: [""] } }],
  ])("is recorded despite %s", (_, sent, kept) => {
    expect(read(sent)).toMatchObject({ type: "authorized", amount: 12_550, currency: "SEK", ...kept });
  });

  it.each([0, 20_000, 2_592_000_000])("says how long ago it was: %s ms", (agoMs) => {
    expect(read({ agoMs })).toMatchObject({ amount: 12_550, agoMs });
  });

  it.each([-1, 1.5, 2_592_000_001, 1e30, "20000", true, null, {}])(
    "is recorded without an age that is none: %s",
    (agoMs) => {
      expect(read({ agoMs })).toMatchObject({ amount: 12_550, agoMs: undefined });
    },
  );

  it.each([
    [12.55, 1_255],
    [0, 0],
  ])("names the tip in its amount: %s", (tipAmount, minor) => {
    expect(read({ tipAmount })).toMatchObject({ amount: 12_550, tipAmount: minor });
  });

  it.each([-1, 1.005, 1e30, "12.55", true, null, {}])("is recorded without a tip that is none: %s", (tipAmount) => {
    expect(read({ tipAmount })).toMatchObject({ amount: 12_550, tipAmount: undefined });
  });

  it.each(["agoMs", "tipAmount"])("is recorded without %s if its body has it twice", (name) => {
    const doubts = [{ kind: "repeated name", path: [name] }] as const;
    const value = { ...approved, [name]: 20 };
    const json = { doubts, value, asWritten: { ...value, [`${name} (2)`]: 5 } };
    const problem = { code: "invalid_json" } as const;
    const unread = unreadReport({ problem, contentType: "application/json", length: "9", bytes: undefined, json });
    expect(unread).toMatchObject({ of: "payment", report: { amount: 12_550, agoMs: undefined, tipAmount: undefined } });
  });

  it("keeps texts of the documented lengths, in any script", () => {
    const texts = {
      detail: "Утверждено 😀",
      card: { brand: "Visa", last4: "4242", entryMode: "contactless" },
      acquirer: { authorisationCode: "A1B2C3", rrn: "632610304512", stan: "004512", tid: "T1", mid: "M1" },
      receipt: { customer: ["KÖP 125,50"], merchant: ["漢字"] },
    };
    expect(read(texts)).toMatchObject(texts);
  });

  it.each([{ amount: "125.50" }, { currency: "kronor" }, { chargeID: "one" }, { type: "approved" }])(
    "is refused without a member that is needed to record it: %o",
    (wrong) => {
      expect(terminalReportBody.parse({ ...approved, ...wrong })).toMatchObject({ of: "refused" });
    },
  );
});

describe("a start", () => {
  const start = { reportID: ids.reportID, type: "started" };
  const described = (more: Record<string, unknown>) => {
    const parsed = terminalReportBody.parse({ ...start, ...more });
    if (parsed.of !== "start") throw new Error(`it was read as ${parsed.of}`);
    return parsed.described;
  };

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["nothing", {}, { can: [] }],
    [
      "all of it",
      { device: { maker: "Alpenpos", model: "K9", serialNumber: "4111111111111111", network: "wifi" }, can: ["tips"] },
      { device: { maker: "Alpenpos", model: "K9", serialNumber: "4111111111111111", network: "wifi" }, can: ["tips"] },
    ],
    [
      "too much",
      {
        device: { model: "å".repeat(65), owner: "Eve", memory: { mb: 5 } },
        can: Array.from({ length: 40 }, (_, i) => String(i)),
      },
      { device: { model: "å".repeat(64) }, can: Array.from({ length: 32 }, (_, i) => String(i)) },
    ],
    [
      "what cannot be read",
      {
        device: { maker: 5, model: "", softwareVersion: null, network: "pigeon" },
        can: ["", 7, "a\u0000b", "a b", "a b"],
      },
      { can: ["a b"] },
    ],
    ["the wrong kinds", { device: "K9", can: "tips" }, { can: [] }],
  ])("is read if it describes its device with %s", (_, sent, kept) => {
    expect(described(sent)).toEqual({ device: undefined, ...kept });
  });

  it("is read without a description that its body has twice", () => {
    const doubts = [
      { kind: "repeated name", path: ["device"] },
      { kind: "repeated name", path: ["can"] },
    ] as const;
    const json = { value: { ...start, memory: "kept", device: { maker: "A" }, can: ["b"] }, doubts, asWritten: {} };
    expect(unreadReport({ json, problem: {} } as never)).toMatchObject({
      of: "start",
      memory: "kept",
      described: { device: undefined, can: [] },
    });
  });
});
