import type { QueueName } from "../../../shared/ports/queues.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import type { Table } from "../../../shared/stores/stores.ts";
import { workers } from "../../../functions/workers.ts";
import type { Random } from "../../support/seeded-random.ts";
import type { Agenda } from "./agenda.ts";
import { FAULTS_END, HOUR, MINUTE, SECOND } from "./time.ts";

/** An outage of a whole dependency, or of one table or queue. `sending` is a bus that delivers, but accepts no messages. */
export type Outage = "tables" | "bus" | "sending" | `table ${Table}` | `queue ${QueueName}`;
const ones = [
  ...workers.map(({ name }) => `queue ${name}` as const),
  ...(Object.keys(tableNames) as Table[]).map((table) => `table ${table}` as const),
] as [Outage, ...Outage[]];

/** The faults of one seed's world. */
export interface FaultPlan {
  /** True with about this probability during the faults. Rougher seeds have more faults. The fault is counted under its kind. */
  fault(probability: number, kind: string): boolean;
  /** Like `fault`, but the kind is drawn afterwards and counted by `meet`. */
  strikes(probability: number): boolean;
  isDown(...what: readonly Outage[]): boolean;
  /** Milliseconds until all their outages are over; 0 if there is none. */
  downFor(...what: readonly Outage[]): number;
  /** Milliseconds by which the clock of a new process is wrong. */
  skew(): number;
  /** The largest error of a process's clock in milliseconds. At 0 all recorded times are true. */
  readonly wrongestClock: number;
  /** Whether the broker stores this message twice. It does not depend on the roughness, because messages would multiply. */
  isDoubled(): boolean;
  /** The faults so far, counted by kind: drawn faults, calls during an outage, flaws of terminals. */
  readonly met: Readonly<Record<string, number>>;
  /** Counts a fault. */
  meet(kind: string): void;
  readonly outages: readonly { readonly what: Outage; readonly from: number; readonly to: number }[];
}

/** The sources of a world's faults. */
interface Sources {
  readonly random: Random;
  readonly quirks: Random;
  readonly isLucky: boolean;
}

/** Draws a seed's faults. Some seeds, and all lucky ones, have few, because many faults hide the effects of rare ones. */
export function createFaultPlan({ random, quirks, isLucky }: Sources, agenda: Agenda): FaultPlan {
  const drawn = random.pick(0.2, 1, 2);
  const roughness = isLucky ? 0.2 : drawn;
  const error = random.pick(0, 0, 10 * MINUTE, 10 * MINUTE, HOUR);
  const wrongest = isLucky ? 0 : error;
  // Errors of minutes differ by process. An error of an hour is one host's, like a wrong time zone.
  const skews = wrongest === HOUR ? ([0, 0, random.pick(-HOUR, HOUR)] as const) : undefined;
  const duplicates = random.pick(0.02, 0.15);
  const whole = (["tables", "bus", "sending"] as const).filter(() => random.chance(0.2));
  const drawnOutages = [
    ...whole.map((what) => drawOutage(random, what)),
    ...(quirks.chance(0.25) ? [drawOutage(quirks, quirks.pick(...ones))] : []),
  ];
  const outages = isLucky ? [] : drawnOutages;
  const met: Record<string, number> = {};
  const meet = (kind: string) => void (met[kind] = (met[kind] ?? 0) + 1);
  const counted = (isFault: boolean, kind: string): boolean => {
    if (isFault) meet(kind);
    return isFault;
  };
  const strikes = (probability: number): boolean => agenda.now() < FAULTS_END && random.chance(probability * roughness);
  return {
    fault: (probability, kind) => counted(strikes(probability), kind),
    strikes,
    isDown: (...what) => outages.some((o) => what.includes(o.what) && agenda.now() >= o.from && agenda.now() < o.to),
    downFor: (...what) => {
      const now = agenda.now();
      const ends = outages
        .filter((o) => what.includes(o.what) && now >= o.from && now < o.to)
        .map(({ to }) => to - now);
      return Math.max(0, ...ends);
    },
    skew() {
      if (agenda.now() >= FAULTS_END || wrongest === 0) return 0;
      return skews ? random.pick(...skews) : random.pick(0, 0, random.between(-wrongest, wrongest));
    },
    wrongestClock: wrongest,
    isDoubled: () => counted(agenda.now() < FAULTS_END && random.chance(duplicates), "message duplicated"),
    met,
    meet,
    outages,
  };
}

function drawOutage(random: Random, what: Outage) {
  const from = random.between(0, 12 * MINUTE);
  const lasts = random.chance(0.5) ? random.between(3 * SECOND, 40 * SECOND) : random.between(MINUTE, 10 * MINUTE);
  return { what, from, to: from + lasts };
}
