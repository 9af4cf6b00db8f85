import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { shownOn } from "../../support/admin.ts";

const who = ["--by", "ada", "--why", "the acquirer's list"];
const session = ["--partner", randomUUID(), "--session", randomUUID()];
const payment = [...session, "--sequence", "4"];

/** What `payment resolve` complains of before it looks at any payment. */
async function complaint(...words: string[]): Promise<string> {
  const connect = () => Promise.reject(new Error("looked at the payment"));
  return shownOn(connect, ["payment", "resolve", ...words]).then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe("payment resolve", () => {
  it.each([
    ["--outcome", "paid"],
    ["--outcome", "paid", "--amount", "100.50", "--charge", randomUUID().toUpperCase()],
    ["--outcome", "unpaid"],
    ["--refund", randomUUID(), "--outcome", "succeeded"],
    ["--refund", randomUUID(), "--outcome", "failed"],
    ["--charge", randomUUID(), "--outcome", "reversed"],
    ["--charge", randomUUID(), "--outcome", "kept"],
  ])("takes %s %s %s %s", async (...words) => {
    expect(await complaint(...payment, ...words, ...who)).toBe("looked at the payment");
  });

  it.each([
    [["--outcome", "captured"], "--outcome is paid or unpaid of a payment, reversed or kept of a --charge."],
    [["--outcome", "kept"], "Name the charge that is kept: --charge <chargeID>."],
    [["--outcome", "unpaid", "--amount", "1"], "An outcome unpaid has no --amount."],
    [["--outcome", "unpaid", "--charge", "c"], "An outcome unpaid has no --charge."],
    [["--outcome", "kept", "--charge", "c", "--amount", "1"], "An outcome of a charge has no --amount."],
    [["--outcome", "paid", "--refund", "r"], "--outcome of a refund is succeeded or failed."],
    [["--outcome", "failed", "--refund", "r", "--charge", "c"], "An outcome of a refund has no --charge."],
    [["--charge", "c"], "--outcome is paid or unpaid of a payment, reversed or kept of a --charge."],
  ])("refuses %j: %s", async (words, message) => {
    expect(await complaint(...payment, ...words, ...who)).toBe(message);
  });

  it("requires the payment, and the operator's name and reason of bounded length", async () => {
    const words = ["--outcome", "paid"];
    expect(await complaint(...words, ...who)).toContain("Required option '--partner <partnerID>' not specified.");
    expect(await complaint("--partner", "p", "--session", "s", "--sequence", "4", ...words, ...who)).toBe(
      "--partner is an identifier: a UUID.",
    );
    expect(await complaint(...session, ...words, ...who)).toContain("Required option '--sequence <n>' not specified.");
    expect(await complaint(...session, "--sequence", "x", ...words, ...who)).toContain("as `payment show` says it.");
    expect(await complaint(...payment, ...words, "--by", "ada")).toContain("Required option '--why <text>'");
    expect(await complaint(...payment, ...words, "--by", "ada", "--why", "x".repeat(501))).toContain("500 characters");
  });
});
