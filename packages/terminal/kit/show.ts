import { deviceFacts } from "../device-facts.ts";
import type { Result } from "./play.ts";
import { placeOf, rules } from "./rules.ts";
import type { Described } from "./self-description.ts";

/** The line of a scenario. A failed one also shows the rule, what the kit saw, and the exchange. */
export function shownResult({ name, passed, ms, skipped, rule, sees, exchange = [] }: Result): string {
  if (skipped !== undefined) return `skipped ${name.padEnd(28)} ${skipped}`;
  const line = `${passed ? "passed" : "FAILED"}  ${name.padEnd(28)} ${(ms / 1_000).toFixed(1).padStart(5)} s`;
  if (!rule) return line;
  const broken = `        ${rule} ${rules[rule].name} (${placeOf(rule)}): ${sees}`;
  return [line, broken, ...exchange.map((one) => `        ${one}`)].join("\n");
}

/** The terminal's device, and a warning for each word about it that the platform does not keep. */
export function shownDescription({ battery, warnings, ...described }: Described): string {
  const facts = deviceFacts(described, battery).join(" · ");
  const about = facts === "" ? "The terminal does not say what device it is." : facts;
  return [`device  ${about}`, ...warnings.map((one) => `WARNING ${one} (docs/terminals.md#the-device)`)].join("\n");
}

/** The last line: how many passed and failed. `leftOut` counts the scenarios that were not chosen. */
export function summary(results: readonly Result[], leftOut: number): string {
  const failed = results.filter(({ passed }) => !passed).length;
  const skipped = results.filter((one) => one.skipped !== undefined).length;
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const left = leftOut + skipped > 0 ? `, ${leftOut + skipped} not played` : "";
  return `${results.length - skipped - failed} passed, ${failed} failed${left}; ${seconds.toFixed(1)} s`;
}
