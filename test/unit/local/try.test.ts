import { describe, expect, it } from "vitest";
import { samplePayment } from "../../../infra/pages/first-payment.ts";
import { fixedPartner } from "../../../infra/stack/fixed-keys.ts";
import { amountFor, readAmount, scripted } from "../../../infra/local/try/amount.ts";
import { scriptFor, scriptList } from "../../../infra/terminal/simulated/scripts.ts";

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
