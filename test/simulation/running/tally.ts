import type { SeedResult } from "./seed-worker.ts";

interface Broken {
  count: number;
  readonly firstSeed: number;
  readonly detail: string;
}

/** What many seeds come to. */
export interface Tally {
  seeds: number;
  leftovers: number;
  faults: number;
  readonly badSeeds: Set<number>;
  readonly broken: Map<string, Broken>;
  readonly endings: Map<string, number>;
}

export const emptyTally = (): Tally => ({
  seeds: 0,
  leftovers: 0,
  faults: 0,
  badSeeds: new Set(),
  broken: new Map(),
  endings: new Map(),
});

export function add(tally: Tally, { seed, violations, endings, leftovers, faults }: SeedResult): void {
  tally.seeds++;
  tally.leftovers += leftovers;
  tally.faults += faults;
  for (const [state, count] of Object.entries(endings)) {
    tally.endings.set(state, (tally.endings.get(state) ?? 0) + count);
  }
  for (const { rule, detail } of violations) {
    tally.badSeeds.add(seed);
    const known = tally.broken.get(rule);
    if (known) known.count++;
    else tally.broken.set(rule, { count: 1, firstSeed: seed, detail });
  }
}

/** The lines to print, the rule that is broken most often first. */
export function report({ seeds, leftovers, faults, badSeeds, broken, endings }: Tally, seconds: number): string[] {
  const counts = [...endings].toSorted(([, a], [, b]) => b - a).map(([state, count]) => `${state} ${count}`);
  const rules = [...broken].toSorted(([, a], [, b]) => b.count - a.count);
  return [
    `${seeds} seeds in ${seconds.toFixed(1)} s: ${Math.round(seeds / seconds)} seeds/s, ${faults} faults met`,
    `payments: ${counts.join(", ")}; rows left over in inboxes: ${leftovers}`,
    ...rules.map(([rule, { count, firstSeed, detail }]) => `${count} × ${rule}; first in seed ${firstSeed}: ${detail}`),
    badSeeds.size === 0 ? "no violation" : `violations in ${badSeeds.size} seeds: ${firstOf(badSeeds)}`,
  ];
}

function firstOf(seeds: ReadonlySet<number>): string {
  const first = [...seeds].slice(0, 20).join(", ");
  return seeds.size > 20 ? `${first}, …` : first;
}
