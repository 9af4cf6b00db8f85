import { describe, expect, it } from "vitest";
import { detailText } from "../../../infra/pages/live/alerts.ts";
import { readRunbook, runbookOf } from "../../../infra/pages/live/runbook.ts";
import queues from "../../../infra/azure/service-bus/queues.json" with { type: "json" };
import { alertKinds } from "../../../shared/domain/alert-kinds.ts";

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

it.each([
  ["notStarted", "The terminal reported that it did not start the payment."],
  ["authorized while the payment is captured", "The terminal reported an approval while the payment is captured."],
  ["the terminal reported 80.00 SEK", "The terminal reported 80.00 SEK."],
])("an alert's detail is a sentence: %s", (detail, text) => {
  expect(detailText(detail)).toBe(text);
});
