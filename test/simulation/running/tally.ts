import type { SeedResult } from "./seed-worker.ts";

interface Broken {
  count: number;
  readonly firstSeed: number;
  readonly detail: string;
}

/** The results of many seeds. */
export interface Tally {
  seeds: number;
  leftovers: number;
  readonly badSeeds: Set<number>;
  readonly broken: Map<string, Broken>;
  readonly endings: Map<string, number>;
  readonly alerts: Map<string, number>;
  readonly excuses: Map<string, number>;
  readonly faults: Map<string, number>;
  readonly situations: Set<string>;
}

export const emptyTally = (): Tally => ({
  seeds: 0,
  leftovers: 0,
  badSeeds: new Set(),
  broken: new Map(),
  endings: new Map(),
  alerts: new Map(),
  excuses: new Map(),
  faults: new Map(),
  situations: new Set(),
});

export function add(tally: Tally, { seed, violations, leftovers, situations, ...counted }: SeedResult): void {
  for (const situation of situations) tally.situations.add(situation);
  tally.seeds++;
  tally.leftovers += leftovers;
  for (const kind of ["endings", "alerts", "excuses", "faults"] as const) {
    for (const [name, count] of Object.entries(counted[kind]))
      tally[kind].set(name, (tally[kind].get(name) ?? 0) + count);
  }
  for (const { rule, detail } of violations) {
    tally.badSeeds.add(seed);
    const known = tally.broken.get(rule);
    if (known) known.count++;
    else tally.broken.set(rule, { count: 1, firstSeed: seed, detail });
  }
}

/** The lines to print, with the most violated rule first. */
export function report(tally: Tally, seconds: number): string[] {
  const { seeds, leftovers, badSeeds, broken } = tally;
  const faults = [...tally.faults.values()].reduce((sum, count) => sum + count, 0);
  const rules = [...broken].toSorted(([, a], [, b]) => b.count - a.count);
  return [
    `${seeds} seeds in ${seconds.toFixed(1)} s: ${Math.round(seeds / seconds)} seeds/s, ${faults} faults met`,
    `faults: ${listed(tally.faults)}`,
    `payments: ${listed(tally.endings)}; rows left over in inboxes: ${leftovers}`,
    `operators called: ${listed(tally.alerts)}`,
    `problems excused: ${listed(tally.excuses)}`,
    ...rules.map(([rule, { count, firstSeed, detail }]) => `${count} × ${rule}; first in seed ${firstSeed}: ${detail}`),
    badSeeds.size === 0 ? "no violation" : `violations in ${badSeeds.size} seeds: ${firstOf(badSeeds)}`,
  ];
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none";

function firstOf(seeds: ReadonlySet<number>): string {
  const first = [...seeds].slice(0, 20).join(", ");
  return seeds.size > 20 ? `${first}, …` : first;
}
