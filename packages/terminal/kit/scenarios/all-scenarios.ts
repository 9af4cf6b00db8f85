import { businessDays } from "./business-days.ts";
import { cancelling } from "./cancelling.ts";
import { money } from "./money.ts";
import { network } from "./network.ts";
import { paying } from "./paying.ts";
import { powerCuts } from "./power-cuts.ts";
import { repeating } from "./repeating.ts";
import type { Scenario } from "./scenario.ts";
import { tips } from "./tips.ts";
import { waiting } from "./waiting.ts";

/** Every scenario, in playing order. The first one begins with a terminal without power. */
export const scenarios: readonly Scenario[] = [
  ...powerCuts.slice(0, 1),
  ...paying,
  ...tips,
  ...cancelling,
  ...money,
  ...repeating,
  ...network,
  ...powerCuts.slice(1),
  ...waiting,
  ...businessDays,
];

/** The scenarios as a table for docs/terminals.md. */
export const scenarioTable = (): string =>
  [
    "| scenario | what happens | rules | minor digits |",
    "|---|---|---|---|",
    ...scenarios.map(
      ({ name, does, rules, digits }) =>
        `| ${name} | ${does} | ${rules.join(", ")} | ${digits.map((two) => `\`${two}\``).join(", ")} |`,
    ),
  ].join("\n");
