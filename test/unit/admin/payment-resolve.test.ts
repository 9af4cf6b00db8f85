import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { movedOn, preview } from "../../../infra/operator/admin/commands/resolution-preview.ts";
import { perform } from "../../../infra/operator/admin/program.ts";
import type { Trail } from "../../../infra/operator/admin/trail.ts";
import { typedAgain } from "../../../infra/operator/admin/typed-again.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { shownOn } from "../../support/admin.ts";

const who = ["--by", "ada", "--why", "the acquirer's list"];
const session = ["--partner", randomUUID(), "--session", randomUUID()];
const payment = [...session, "--sequence", "4"];

/** The complaint of `payment resolve` before it reads any payment. */
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
    ["--outcome", "paid", "--amount", "110", "--tip", "10.00"],
    ["--outcome", "unpaid"],
    ["--refund", randomUUID(), "--outcome", "succeeded", "--amount", "130.00"],
    ["--refund", randomUUID(), "--outcome", "failed"],
    ["--charge", randomUUID(), "--outcome", "reversed"],
    ["--charge", randomUUID(), "--outcome", "kept", "--business-day", "2026-11-21"],
    ["--discount", randomUUID(), "--outcome", "applied", "--note", "your discount counts"],
    ["--refunded-outside", "25.50", "--reference", "ARN 74027", "--charge", randomUUID()],
  ])("takes %s %s %s %s", async (...words) => {
    expect(await complaint(...payment, ...words, ...who)).toBe("looked at the payment");
  });

  it.each([
    [["--outcome", "captured"], "--outcome is paid or unpaid for a payment, and reversed or kept for a --charge."],
    [["--outcome", "kept"], "Name the charge that is kept: --charge <chargeID>."],
    [["--outcome", "unpaid", "--amount", "1"], "The outcome unpaid takes no --amount."],
    [["--outcome", "unpaid", "--tip", "1"], "The outcome unpaid takes no --tip."],
    [["--refunded-outside", "5", "--tip", "1"], "The outcome refunded outside takes no --tip."],
    [["--outcome", "unpaid", "--charge", "c"], "The outcome unpaid takes no --charge."],
    [["--outcome", "kept", "--charge", "c", "--amount", "1"], "The outcome of a charge takes no --amount."],
    [["--outcome", "paid", "--refund", "r"], "--outcome of a refund is succeeded or failed."],
    [["--outcome", "failed", "--refund", "r", "--amount", "1"], "The outcome failed takes no --amount."],
    [["--outcome", "failed", "--refund", "r", "--charge", "c"], "The outcome of a refund takes no --charge."],
    [["--outcome", "paid", "--discount", "d"], "--outcome of a discount is applied or refused."],
    [["--outcome", "applied", "--discount", "d", "--amount", "1"], "The outcome of a discount takes no --amount."],
    [["--outcome", "paid", "--business-day", "yesterday"], "--business-day takes a day, such as 2026-11-21."],
    [["--refunded-outside", "1"], "Name the acquirer's refund: --reference <text>."],
    [["--refunded-outside", "1", "--outcome", "paid"], "The outcome refunded outside takes no --outcome."],
    [["--outcome", "paid", "--reference", "r"], "The outcome paid takes no --reference."],
    [["--charge", "c"], "--outcome is paid or unpaid for a payment, and reversed or kept for a --charge."],
  ])("refuses %j: %s", async (words, message) => {
    expect(await complaint(...payment, ...words, ...who)).toBe(message);
  });

  it("requires the payment, and the operator's name and reason of bounded length", async () => {
    const words = ["--outcome", "paid"];
    expect(await complaint(...words, ...who)).toContain("Required option '--partner <partnerID>' not specified.");
    expect(await complaint("--partner", "p", "--session", "s", "--sequence", "4", ...words, ...who)).toBe(
      "--partner is an identifier: a UUID.",
    );
    expect(await complaint(...session, ...words, ...who)).toBe("looked at the payment");
    expect(await complaint(...session, "--sequence", "x", ...words, ...who)).toContain("as the preview shows it.");
    expect(await complaint(...payment, ...words, "--by", "ada")).toContain("Required option '--why <text>'");
    expect(await complaint(...payment, ...words, "--by", "ada", "--why", "x".repeat(501))).toContain("500 characters");
  });
});

/** An authorized payment, and the operator's commands about it. */
async function anAuthorized() {
  const { platform, key, sendReport, fetch, capture, now } = await aPayment();
  await fetch();
  await sendReport("authorized", approval);
  const said = { of: "payment", outcome: "unpaid" } as const;
  const { sequence } = await now();
  const asked = {
    ...key,
    resolution: { ...said, by: "ada", why: "the acquirer's list" },
    again: (option: string, value: string) => `again ${option} ${value}`,
  };
  return { deps: platform.deps, asked, sequence, capture, now };
}

describe("the preview of a resolution", () => {
  it("shows the consequences and the command that carries it out, and leaves the payment unchanged", async () => {
    const { deps, asked, sequence, now } = await anAuthorized();
    const before = await now();
    const shown = await preview(deps, asked);
    expect(shown).toMatchObject({ sequence, command: `again --sequence ${sequence}` });
    expect(shown.follows).toContain("A void of 125.50 SEK (charge charge-1) is sent to the terminal.");
    expect(await now()).toEqual(before);
    expect(await movedOn(deps, { ...asked, sequence })).toBeUndefined();
  });

  it("is shown again if the payment has changed", async () => {
    const { deps, asked, sequence, capture } = await anAuthorized();
    await capture();
    const told = await movedOn(deps, { ...asked, sequence });
    expect(told).toContain(`Nothing was done: the payment has changed since you read it, from sequence ${sequence} to`);
    expect(told).toContain("The payment goes from captureRequested to voided.");
    expect(told?.split("\n").at(-1)).toBe(`again --sequence ${sequence + 1}`);
  });

  it.each([[["--sequence", "4"]], [["--sequence=4"]], [[]]])(
    "names the command with its sequence, typed with %j",
    (typed) => {
      expect(typedAgain([...typed, "--why", "Ada's list", "--by", "ada"], "--sequence", "6")).toBe(
        String.raw`--why 'Ada'\''s list' --by ada --sequence 6`,
      );
    },
  );

  it("is not stored in the trail, and neither is the operator's reason", async () => {
    const stored: unknown[] = [];
    const trail: Trail = async (_, action) => {
      stored.push(action);
      throw new Error("stored");
    };
    const words = ["payment", "resolve", ...session, "--refunded-outside", "5", ...who, "--note", "for you"];
    const nowhere = { tables: "none", serviceBus: "none", isLocal: true, around: {} };
    const performed = (...more: string[]) =>
      perform([...words, "--reference", "the ARN", ...more], { findCloud: async () => nowhere, note: () => {}, trail });
    await expect(performed()).rejects.toThrow();
    expect(stored).toEqual([]);
    await expect(performed("--sequence", "4")).rejects.toThrow("stored");
    const [, partner, , sessionID] = session;
    const about = { partner, session: sessionID, "refunded-outside": "5", sequence: "4" };
    expect(stored).toEqual([{ command: "payment resolve", about }]);
  });

  it("says why the payment does not accept the outcome now", async () => {
    const { deps, asked, sequence } = await anAuthorized();
    const kept = { of: "charge", chargeId: "charge-1", outcome: "kept" } as const;
    const refused = { ...asked, resolution: { ...kept, by: "ada", why: "the list" } };
    await expect(preview(deps, refused)).rejects.toThrow(
      "Record whether the payment is paid or unpaid. The payment is authorized.",
    );
    expect(await movedOn(deps, { ...refused, sequence: sequence - 1 })).toMatch(/^Nothing was done.* is authorized\.$/);
  });
});
