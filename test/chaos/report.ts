import type { ShownAlert } from "./operator.ts";
import type { Options } from "./options.ts";
import type { Trouble } from "./troubles.ts";

type Counts = Readonly<Record<string, number>>;

/** What was found to move so many seconds after the faults were over, until the next look that found something else; undefined where nothing was. */
export interface Wait {
  readonly moving: string | undefined;
  readonly seconds: number;
}

/** What a run came to. */
export interface Outcome {
  readonly payments: number;
  readonly seconds: { readonly raged: number; readonly calmed: number };
  /** What was waited for. */
  readonly waits: readonly Wait[];
  /** Of each host. */
  readonly kills: readonly number[];
  /** Of network and hosts. */
  readonly faults: Counts;
  /** Of terminals, operator and acquirer. */
  readonly doings: Counts;
  readonly figures: Counts;
  /** All that were raised, the closed ones too. */
  readonly alerts: readonly ShownAlert[];
  readonly excuses: Counts;
  readonly wrong: readonly string[];
  /** Of sessions with which something is wrong. */
  readonly stories: readonly (readonly string[])[];
}

const MAX_SHOWN = 40;
const MAX_TOLD = 5;

/** Prints it all. True for a success: nothing is wrong, and the run was one in which something could have been. */
export function report({ seed, trouble }: Options, outcome: Outcome): boolean {
  const { payments, seconds, kills, faults, doings, alerts, excuses, wrong } = outcome;
  console.log(
    `seed ${seed}${trouble ? `, ${trouble}` : ""}: ${payments} payments in ${Math.round(seconds.raged)} s under ${kills.join(" and ")} kills of the hosts, quiet ${Math.round(seconds.calmed)} s later`,
  );
  console.log("waited for:");
  for (const { moving, seconds: since } of outcome.waits)
    console.log(`  from ${since.toFixed(1).padStart(5)} s  ${moving ?? "nothing"}`);
  print("faults of network and hosts", faults);
  print("doings of terminals, operator and acquirer", doings);
  print("what came of it", outcome.figures);
  print("alerts", countedBy(alerts.map(({ alert, status }) => `${alert} (${status})`)));
  print("excuses", excuses);
  const idle = whyIdle(outcome, trouble);
  if (wrong.length > 0) {
    console.log(`${wrong.length} violations:`);
    for (const violation of wrong.slice(0, MAX_SHOWN)) console.log(`  ${violation}`);
    for (const story of outcome.stories.slice(0, MAX_TOLD)) console.log(story.join("\n  "));
  } else if (idle !== undefined) console.log(`nothing was proven: ${idle}`);
  else console.log(`no violation in ${payments} payments: under ${(300 / payments).toFixed(2)} % at 95 % confidence`);
  return wrong.length === 0 && idle === undefined;
}

/** A run without trouble proves nothing. */
export function whyIdle(
  { payments, kills, faults }: Pick<Outcome, "payments" | "kills" | "faults">,
  trouble?: Trouble,
): string | undefined {
  if (payments === 0) return "no payment was made";
  if (trouble) return undefined;
  if (kills.every((times) => times === 0)) return "no host was killed";
  return Object.keys(faults).some((what) => !what.startsWith("kills")) ? undefined : "no fault was met";
}

function print(title: string, counts: Counts): void {
  console.log(`${title}:${Object.keys(counts).length === 0 ? " none" : ""}`);
  for (const [what, times] of Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${String(times).padStart(6)}  ${what}`);
}

function countedBy(words: readonly string[]): Counts {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
