import { useCases, type Mutant } from "./mutant.ts";

/** Rules of alerts: each is stored, listed, counted and logged once. */
export const alertMutants: readonly Mutant[] = [
  {
    name: "accepts the report of a refund that was never requested",
    file: "shared/domain/payment/life/verdicts.ts",
    find: "unknown: { refunded: contradicts, refundFailed: agrees },",
    replace: "unknown: { refunded: agrees, refundFailed: agrees },",
  },
  {
    name: "calls no operator for a lasting doubt",
    file: "shared/domain/payment/reports/overdue.ts",
    find: "? doubtsOf(payment, deadline.about) : [];",
    replace: "? doubtsOf(payment, deadline.about).slice(0, 0) : [];",
  },
  {
    name: "marks a change but raises no alert",
    file: "shared/domain/payment/life/advance.ts",
    find: "[...(step.effects ?? []), ...orderUpdates(payment, next), ...raised(step)]),",
    replace: "[...(step.effects ?? []), ...orderUpdates(payment, next)]),",
  },
  {
    name: "stores no alert",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: "  await alerts.save(alert, read);\n",
    replace: "",
  },
  {
    name: "counts an alert at every delivery",
    file: "shared/domain/alert.ts",
    find: "  if (sequence <= alert.countedUpTo || alert.raisedBy.includes(sequence)) return undefined;\n",
    replace: "",
  },
  {
    name: "stores an open alert without listing it",
    file: "shared/stores/alerts.ts",
    find: "if (wasOpen === isOpen) return [];",
    replace: "return [];",
  },
  {
    name: "logs an alert only after its row is stored",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: `  else log.write<typeof event>(event, line);
  await alerts.save(alert, read);
`,
    replace: `  await alerts.save(alert, read);
  if (!report || !isOnlyCounted(alert, report)) log.write<typeof event>(event, line);
`,
  },
  {
    name: "wakes an operator for the good news of a day",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: '? "alertMended" : "alertRaised"',
    replace: '? "alertRaised" : "alertRaised"',
  },
];
