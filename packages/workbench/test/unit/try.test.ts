import { describe, expect, it, vi } from "vitest";
import { samplePayment } from "../../first-payment.ts";
import { sampleStack } from "../browser/sample-stack.ts";
import { fixedPartner } from "../../stack/fixed-keys.ts";
import { textOutput } from "../../try.ts";
import { amountFor, readAmount, scripted } from "../../try/amount.ts";
import { scriptFor, scriptList } from "../../../terminal/simulated/scripts.ts";

describe("the amount of npm run try", () => {
  it.each([
    ["20", 20],
    ["125.5", 125.5],
    ["100.01", 100.01],
    ["0.07", 0.07],
  ])("is read: %s", (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it.each([
    ["100,01", "The amount 100,01 has a comma: write 100.01."],
    ["abc", "The amount abc is not valid: write an amount such as 125.50 or 20."],
    ["-5", "The amount -5 is not valid"],
    ["0", "The amount 0 is not valid"],
    ["1.005", "The amount 1.005 is not valid"],
    ["1e3", "The amount 1e3 is not valid"],
    ["", "The amount  is not valid"],
  ])("is refused in a sentence: %s", (text, sentence) => {
    expect(() => readAmount(text)).toThrow(sentence);
  });

  it("ends with the digits that select the terminal's script", () => {
    for (const { slug, name } of scriptList()) expect(scriptFor(amountFor(20, slug), "SEK").name).toBe(name);
    expect(amountFor(125.5, "approved")).toBe(125);
    expect(amountFor(20.5, "declined")).toBe(20.01);
    expect(() => amountFor(0.5, "approved")).toThrow("at least 1");
  });

  it("has the capture mode that its script needs", () => {
    const onAutopilot = { terminal: "autopilot" };
    expect(scripted(20, { ...onAutopilot, case: "void-fails" })).toMatchObject({
      amount: 20.13,
      captureMode: "manual",
    });
    expect(scripted(20, { ...onAutopilot, capture: "manual" })).toMatchObject({ captureMode: "manual" });
    expect(scripted(20.13, { terminal: "counter" })).toMatchObject({ script: undefined, captureMode: "automatic" });
    expect(() => scripted(20.13, { ...onAutopilot, capture: "automatic" })).toThrow("which needs --capture manual");
    expect(() => scripted(20, { terminal: "counter", case: "declined" })).toThrow("Only the terminal autopilot");
  });

  it.each([
    [125.5, 25.1],
    [20, 4],
    [0.01, 0],
    [100.01, 20],
  ])("has its VAT in proportion: of %d it is %d", (total, vat) => {
    expect(samplePayment({ demo: fixedPartner }, total)).toMatchObject({
      totalAmountInclVat: total,
      totalVatAmount: vat,
    });
  });
});

describe("the text of npm run try", () => {
  const sessionID = "5d6a1f0e-3c1b-4b52-9c0e-1f2f3a4b5c6d";

  const counter = { pointOfServiceID: "0c1d2e3f-5a5a-4000-8000-000000000000", terminalKey: "sample-counter-key" };
  const { demo } = sampleStack;
  const live = "http://127.0.0.1:7092/";
  const stack = { ...sampleStack, live, demo: { ...demo, terminals: { ...demo.terminals, counter } } };

  /** The printed text of a payment on this terminal, which accepts it and then ends it. */
  function printed(terminal: string): string {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      const wanted = { ...scripted(20, { terminal }), terminal, webhookUrl: undefined };
      const { show, end } = textOutput(wanted, stack, "");
      show({ ms: 150, who: "terminal", event: "accepted", text: "The terminal accepted the payment" });
      end({ sessionID, requestID: "a-request", status: "captured", hasEnded: true, text: "It is captured." });
      return log.mock.calls.flat().join("\n");
    } finally {
      log.mockRestore();
    }
  }

  it("says where to tap the card of the counter", () => {
    const place = "Tap the card on the live page: http://127.0.0.1:7092/#/counter\n";
    expect(printed("counter")).toContain(place);
    expect(printed(counter.pointOfServiceID)).toContain(place);
    expect(printed("autopilot")).not.toContain("Tap the card");
  });

  it("names the payment by one identifier, also in the command that explains it", () => {
    const text = printed("autopilot");
    expect(text).toContain(`Payment ${sessionID}: It is captured.\n`);
    expect(text).toContain(`npm run admin -- payment why ${sessionID}`);
    expect(text).not.toContain("a-request");
  });
});
