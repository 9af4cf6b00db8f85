import { seededRandom, type Random } from "../../support/seeded-random.ts";
import { createAgenda, type Agenda } from "./agenda.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { instantAt } from "./time.ts";
import { createFaultPlan, type FaultPlan } from "./fault-plan.ts";
import { noLostTime, type LostTime } from "./lost-time.ts";

/** A violated rule, by its name. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** What everything in one seed's world shares. */
export interface World {
  readonly agenda: Agenda;
  readonly random: Random;
  /** A second random generator. What it does not choose leaves the world as it was. */
  readonly quirks: Random;
  readonly faultPlan: FaultPlan;
  /** What a restore of the platform lost; nothing in a world without one. */
  readonly lostTime: LostTime;
  /** The processes that may still run, of which a restore leaves none. */
  readonly processes: Set<{ die(): void }>;
  /** The business day of the terminals, which is the day in UTC. */
  businessDay(): string;
  /** A generator that is the same for this name in this world. What it chooses leaves the others as they were. */
  fateOf(name: string): Random;
  /** Every identifier is new, and the same when the seed runs again. */
  newId(): string;
  violate(rule: string, detail: string): void;
  readonly violations: readonly Violation[];
  /** Undefined without a reader, so that its arguments are not even built. */
  readonly trace: Trace | undefined;
}
export type Trace = (who: string, what: string) => void;

/** The world of one seed. `write` gets each line of its trace. */
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
    lostTime: noLostTime(),
    processes: new Set(),
    businessDay: () => dayOf(instantAt(agenda.now())),
    fateOf: (name) => seededRandom(Buffer.from(name).reduce((hash, byte) => Math.imul(hash, 31) + byte, seed)),
    newId: () => `id${++ids}`,
    violate(rule, detail) {
      trace?.("VIOLATION", `${rule}: ${detail}`);
      violations.push({ rule, detail });
    },
    violations,
    trace,
  };
}
