import { seededRandom, type Random } from "../../support/seeded-random.ts";
import { createAgenda, type Agenda } from "./agenda.ts";
import { createFaultPlan, type FaultPlan } from "./fault-plan.ts";

/** Something that must never be, by the name of the rule that it breaks. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** What everything in one seed's world shares. */
export interface World {
  readonly agenda: Agenda;
  readonly random: Random;
  /** Chance apart from the rest: what it decides against leaves the world as it was. */
  readonly quirks: Random;
  readonly faultPlan: FaultPlan;
  /** Every identifier is new, and the same when the seed is played again. */
  newId(): string;
  violate(rule: string, detail: string): void;
  readonly violations: readonly Violation[];
  /** Undefined when nobody reads it: then its arguments are not even made. */
  readonly trace: Trace | undefined;
}
export type Trace = (who: string, what: string) => void;

/** The world of one seed; `write` gets each line of its trace. */
export function createWorld(seed: number, write?: (line: string) => void): World {
  const agenda = createAgenda();
  const [random, quirks] = [seededRandom(seed), seededRandom(~seed)];
  const violations: Violation[] = [];
  let ids = 0;
  const trace: Trace | undefined =
    write && ((who, what) => write(`${(agenda.now() / 1000).toFixed(3).padStart(10)}  ${who.padEnd(22)} ${what}`));
  return {
    agenda,
    random,
    quirks,
    faultPlan: createFaultPlan({ random, quirks }, agenda),
    newId: () => `id${++ids}`,
    violate(rule, detail) {
      trace?.("VIOLATION", `${rule}: ${detail}`);
      violations.push({ rule, detail });
    },
    violations,
    trace,
  };
}
