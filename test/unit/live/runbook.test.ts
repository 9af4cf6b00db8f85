import { describe, expect, it } from "vitest";
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
