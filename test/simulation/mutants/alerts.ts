import { useCases, type Mutant } from "./mutant.ts";

/** Rules of alerts: each is kept, listed, counted and logged once. */
export const alertMutants: readonly Mutant[] = [
  {
    name: "takes a refund that was never requested for its own",
    file: "shared/domain/payment/verdicts.ts",
    find: "unknown: { refunded: contradicts, refundFailed: agrees },",
    replace: "unknown: { refunded: agrees, refundFailed: agrees },",
  },
  {
    name: "calls nobody for a doubt that lasts",
    file: "shared/use-cases/payments/handle-timeout.ts",
    find: 'if (deadline === "doubt" && alerts.length === 0) return undefined;',
    replace: 'if (deadline === "doubt") return undefined;',
  },
  {
    name: "marks a change and raises no alert",
    file: "shared/domain/payment/advance.ts",
    find: "effects: [...(step.effects ?? []), ...orderUpdates(payment, next, step), ...raised(step)],",
    replace: "effects: [...(step.effects ?? []), ...orderUpdates(payment, next, step)],",
  },
  {
    name: "keeps no alert",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: "  await alerts.save(alert, read);\n",
    replace: "",
  },
  {
    name: "counts an alert with every delivery",
    file: "shared/domain/alert.ts",
    find: "  if (sequence <= alert.countedUpTo || alert.raisedBy.includes(sequence)) return undefined;\n",
    replace: "",
  },
  {
    name: "overwrites an alert that was raised meanwhile",
    file: "shared/tables/alerts-table.ts",
    find: '{ kind: "replace", ...alertItself, etag: read.etag }',
    replace: '{ kind: "overwrite", ...alertItself }',
  },
  {
    name: "keeps an alert that is not listed",
    file: "shared/tables/alerts-table.ts",
    find: "if (wasOpen === isOpen) return [];",
    replace: "return [];",
  },
  {
    name: "writes the line of an alert with its row only",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: `  if (!isOnlyCounted(alert, raising)) operatorLog.raised(lineOf(identity, raising));
  await alerts.save(alert, read);
`,
    replace: `  await alerts.save(alert, read);
  operatorLog.raised(lineOf(identity, raising));
`,
  },
];
