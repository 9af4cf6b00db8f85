import { describe, expect, it } from "vitest";
import { perform } from "../../../../../infra/operator/admin/program.ts";
import { alertDetail } from "../../../../../infra/operator/common/alert-detail.ts";
import { namesOf, withWholeCommands } from "../../../../../infra/operator/common/whole-commands.ts";
import { readRunbook, runbookOf } from "../../../live/runbook.ts";
import queues from "../../../../../infra/azure/service-bus/queues.json" with { type: "json" };
import { alertKinds } from "../../../../../shared/domain/alert-kinds.ts";
import type { AlertKind } from "../../../../../shared/domain/alert.ts";
import { rulesFor } from "../../../../../shared/domain/payment/life/transitions.ts";
import { paymentEvents, reportTypes } from "../../../../../shared/domain/payment/record/events.ts";
import { paymentStates } from "../../../../../shared/domain/payment/record/payment.ts";
import { aCharge, aPaymentIn } from "../../../../../test/support/a-payment.ts";

describe("the runbook on the live page", () => {
  it("says of every alert and of every queue's dead letters what it means for the money", async () => {
    const { alerts, deadLetters } = await readRunbook();
    const names = queues.UserConfig.Namespaces.flatMap(({ Queues }) => Queues.map(({ Name }) => Name));
    expect(Object.keys(alerts).toSorted()).toEqual(Object.keys(alertKinds).toSorted());
    expect(Object.keys(deadLetters).toSorted()).toEqual(names.toSorted());
    for (const { money, lookAt } of Object.values(alerts)) expect([money, lookAt]).not.toContain(undefined);
    for (const { money, toDo } of Object.values(deadLetters)) expect([money, toDo]).not.toContain(undefined);
    expect(JSON.stringify([alerts, deadLetters])).not.toMatch(/\*\*|\]\(/);
  });

  it("leaves out a section that does not mention the money", () => {
    const text =
      "# Runbook\n\n## Alerts\n\n### one\n\n- **Do**: This.\n\n### two\n\n- **The customer's money**: None, see [Two](#two).\n";
    expect(runbookOf(text)).toEqual({ alerts: { two: { money: "None, see Two." } }, deadLetters: {} });
  });
});

const ids = {
  partnerId: "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10",
  sessionId: "9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70",
  terminalId: "7c9e2a14-3b6d-4f81-9a0c-5d8e1f2a3b4c",
};

describe("a command in the texts about an alert", () => {
  it("has the alert's own values", () => {
    const text = "`payment show` and `payment why <sessionID>`, then `payment resolve --charge <chargeID>` or `kept`";
    expect(withWholeCommands(text, namesOf({ kind: "unwantedApproval", ...ids }))).toBe(
      `\`npm run admin -- payment show --partner ${ids.partnerId} --session ${ids.sessionId}\` and ` +
        `\`npm run admin -- payment why ${ids.sessionId}\`, then \`payment resolve --charge <chargeID>\` or \`kept\``,
    );
  });

  it("is a command of the program, whatever the alert", async () => {
    const { alerts } = await readRunbook();
    const typed = Object.entries(alertKinds).flatMap(([kind, { toDo }]) => {
      const names = namesOf({ kind, about: ids.terminalId, ...ids, day: "2026-11-21" });
      const text = withWholeCommands(`${alerts[kind]?.lookAt} ${toDo}`, names);
      return [...text.matchAll(/`npm run admin -- ([^`]+)`/g)].map(([, words = ""]) => words);
    });
    expect(new Set(typed.map((words) => words.split(" ").slice(0, 2).join(" ")))).toContain("payment show");
    const findCloud = () => Promise.reject(new Error("looked for the cloud"));
    for (const words of typed)
      await expect(perform(words.split(" "), { findCloud, note: () => {} })).rejects.toThrow("looked for the cloud");
  });
});

describe("an alert's detail as a sentence", () => {
  const second = aCharge("reversing", { chargeId: "CHARGE-2", card: { brand: "visa", last4: "1881" } });
  const detailOf = (kind: AlertKind, detail: string, charges = [aCharge("captured"), second]) =>
    alertDetail({ kind, about: "charge-2", detail }, aPaymentIn("captured", { charges }));

  it.each<[AlertKind, string, string]>([
    [
      "unwantedApproval",
      "authorized while the payment is captured",
      "The terminal reported another charge of 125.50 SEK on visa ···· 1881 after the payment was captured.",
    ],
    ["unwantedApproval", "the payment is paid by another charge", "The payment is paid by another charge."],
    [
      "contradictingReport",
      "voided while the payment is authorized: by the customer",
      'The terminal reported a void after the payment was authorized: "by the customer".',
    ],
    [
      "contradictingReport",
      "refunded while the refund is failed",
      "The terminal reported a refund after the refund had failed.",
    ],
    [
      "contradictingReport",
      "refunded names a message of another refund",
      "The terminal reported a refund, but named a message of another refund.",
    ],
    [
      "contradictingReport",
      "captured while the charge is voided",
      "The terminal reported a capture after the charge was voided.",
    ],
    [
      "contradictingReport",
      "refunded while the refund is failed; the refunds exceed the captured amount by 74.50 SEK: by hand",
      'The terminal reported a refund after the refund had failed; the refunds exceed the captured amount by 74.50 SEK: "by hand".',
    ],
    [
      "contradictingReport",
      "voided while the charge is captured",
      "The terminal reported a void after the charge was captured.",
    ],
    [
      "reversalFailed",
      "the terminal has not fetched the void for 5 days; it stays due",
      "The terminal has not fetched the void for 5 days; it stays due.",
    ],
    ["amountDiffers", "the terminal reported 80.00 SEK", "The terminal reported 80.00 SEK."],
    ["outcomeUnknown", "notStarted", "The terminal reported that it did not start the payment."],
    ["outcomeUnknown", "doubtOverdue", "The platform still had no outcome, and called an operator."],
    [
      "orphanReport",
      "validation_failed amount currency",
      "A report was rejected, because members are wrong: amount, currency.",
    ],
    [
      "orphanReport",
      "reused_report_id amount (before: captured charge-1 12550 SEK)",
      "A report was rejected, because an earlier report with other content has its reportID: amount. Earlier, the terminal reported a capture (charge-1 125.50 SEK).",
    ],
    ["orphanReport", "malformed_json", "A report was rejected, because the platform cannot read it (malformed json)."],
    ["cardNumberReported", "in detail, receipt", "Card data was in detail, receipt."],
    [
      "dayDiffers",
      "sharedCharge: captured in several sessions (c1)",
      "One charge is captured in several sessions (c1).",
    ],
    [
      "mailsFailing",
      "5 in a row within an hour; the last: mailRefused 554",
      "5 mails in a row were not sent within an hour. The last one: the mail was refused (554).",
    ],
  ])("%s: %s", (kind, detail, text) => {
    expect(detailOf(kind, detail)).toBe(text);
  });

  it("does not call the first charge of a payment another one", () => {
    expect(detailOf("unwantedApproval", "authorized while the payment is declined", [second])).toBe(
      "The terminal reported a charge of 125.50 SEK on visa ···· 1881 after the payment was declined.",
    );
  });

  it("has no name of the code, whatever raised it", () => {
    const rules = paymentStates.flatMap((state) =>
      paymentEvents.flatMap((event) =>
        rulesFor(state, event).flatMap(({ raises }) => (raises ? [[raises, event] as const] : [])),
      ),
    );
    const reports = paymentStates.flatMap((state) =>
      reportTypes.map((type) => ["contradictingReport", `${type} while the payment is ${state}`] as const),
    );
    expect(rules.length).toBeGreaterThan(0);
    const names = [...paymentStates, ...paymentEvents].filter((name) => /[A-Z]/.test(name));
    for (const [kind, detail] of [...rules, ...reports])
      expect(detailOf(kind, detail)).not.toMatch(new RegExp(names.join("|"), "i"));
  });
});
