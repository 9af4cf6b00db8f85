import { seededRandom, type Random } from "../../support/seeded-random.ts";
import { createAgenda, type Agenda } from "./agenda.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { DAY, HOUR, instantAt, LONG_DAYS, USUAL_LENGTH } from "./time.ts";
import { createFaultPlan, type FaultPlan } from "./fault-plan.ts";
import { noLostTime, type LostTime } from "./lost-time.ts";

/** A violated rule, by its name. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** The state that all parts of one seed's world share. */
export interface World {
  readonly agenda: Agenda;
  readonly random: Random;
  /** A second random generator. Its choices do not change the draws of the first. */
  readonly quirks: Random;
  readonly faultPlan: FaultPlan;
  /** The losses of a restore of the platform; empty in a world without one. */
  readonly lostTime: LostTime;
  /** The processes that may still run. A restore ends all of them. */
  readonly processes: Set<{ die(): void }>;
  /** When the world ends, in milliseconds. A few worlds are long. */
  readonly end: number;
  /** Few faults: the partners capture what they request, and cards are approved. So captures, refunds and days occur, too. */
  readonly isLucky: boolean;
  /** How far the terminals' clocks are ahead of UTC, in milliseconds. In most worlds they are in UTC. */
  readonly aheadOfUtc: number;
  /** The terminals' business day, which is the day by their clocks: at a time of the world, or now. */
  businessDay(at?: number): string;
  /** A generator that is the same for this name in this world. Its choices do not change the draws of other generators. */
  fateOf(name: string): Random;
  /** Every identifier is new, and the same when the seed runs again. */
  newId(): string;
  violate(rule: string, detail: string): void;
  readonly violations: readonly Violation[];
  /** Undefined without a reader, so that its arguments are not even built. */
  readonly trace: Trace | undefined;
}
export type Trace = (who: string, what: string) => void;

const LUCKY = 0.3;
const LONG = 0.02;
/** The probability that the terminals' day begins while the world has faults. */
const FAR_EAST = 0.12;
/** 13 hours and three quarters: midnight is a quarter of an hour after the world's beginning. */
const CHATHAM_ISLANDS = 13.75 * HOUR;

/** The world of one seed. `write` gets each line of its trace. It lasts this many days, or the length that the seed draws. */
export function createWorld(seed: number, write?: (line: string) => void, days?: number): World {
  const agenda = createAgenda();
  const [random, quirks] = [seededRandom(seed), seededRandom(~seed)];
  const violations: Violation[] = [];
  const fateOf = (name: string): Random =>
    seededRandom(Buffer.from(name).reduce((hash, byte) => Math.imul(hash, 31) + byte, seed));
  const aheadOfUtc = fateOf("time zone").chance(FAR_EAST) ? CHATHAM_ISLANDS : 0;
  const isLucky = fateOf("luck").chance(LUCKY);
  const length = fateOf("length").chance(LONG) ? LONG_DAYS * DAY : USUAL_LENGTH;
  let ids = 0;
  const trace: Trace | undefined =
    write && ((who, what) => write(`${(agenda.now() / 1000).toFixed(3).padStart(10)}  ${who.padEnd(22)} ${what}`));
  return {
    agenda,
    random,
    quirks,
    faultPlan: createFaultPlan({ random, quirks, isLucky }, agenda),
    lostTime: noLostTime(),
    processes: new Set(),
    end: days === undefined ? length : Math.max(USUAL_LENGTH, days * DAY),
    isLucky,
    aheadOfUtc,
    businessDay: (at = agenda.now()) => dayOf(instantAt(at + aheadOfUtc)),
    fateOf,
    newId: () => `id${++ids}`,
    violate(rule, detail) {
      trace?.("VIOLATION", `${rule}: ${detail}`);
      violations.push({ rule, detail });
    },
    violations,
    trace,
  };
}
