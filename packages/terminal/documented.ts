import { rules, ruleTable } from "./kit/rules.ts";
import { scenarioTable } from "./kit/scenarios/all-scenarios.ts";
import { scriptTable } from "./simulated/scripts.ts";

/** The parts of pages that repeat the code of the terminals: duties under each heading, scenarios, scripts. */
export const terminalParts = {
  "docs/running.md": { scripts: scriptTable },
  "docs/terminals.md": {
    ...Object.fromEntries(Object.values(rules).map(({ under }) => [`rules of ${under}`, () => ruleTable(under)])),
    scenarios: scenarioTable,
  },
};
