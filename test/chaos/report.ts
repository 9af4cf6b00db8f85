import type { ShownAlert } from "./operator-judgements.ts";
import type { Options } from "./options.ts";

type Counts = Readonly<Record<string, number>>;

/**
 * The activity that a check found this many seconds after the end of the faults; undefined if it found none. It lasts until the next entry.
 */
export interface Wait {
  readonly moving: string | undefined;
  readonly seconds: number;
}

/** The result of a run. */
export interface Outcome {
  readonly payments: number;
  readonly seconds: { readonly faults: number; readonly untilQuiet: number };
  /** The activities that the run waited for after the faults. */
  readonly waits: readonly Wait[];
  /** The number of kills by host. */
  readonly kills: readonly number[];
  readonly deployments: number;
  /** The faults of network and hosts. */
  readonly faults: Counts;
  /** The actions of terminals, operator and acquirer. */
  readonly actions: Counts;
  readonly figures: Counts;
  /** All alerts that were raised, including the closed ones. */
  readonly alerts: readonly ShownAlert[];
  readonly excuses: Counts;
  readonly wrong: readonly string[];
  /** The records of sessions with a violation. */
  readonly stories: readonly (readonly string[])[];
}

const MAX_SHOWN = 40;
const MAX_STORIES = 5;

/** Prints the result. True for a success: there is no violation, and the run had faults that could have caused one. */
export function report(options: Options, outcome: Outcome): boolean {
  const { payments, seconds, faults, actions, alerts, excuses, wrong } = outcome;
  console.log(
    `seed ${options.seed}: ${payments} payments in ${Math.round(seconds.faults)} s under ${causes(options, outcome)}, quiet ${Math.round(seconds.untilQuiet)} s later`,
  );
  console.log("waited for:");
  for (const { moving, seconds: since } of outcome.waits)
    console.log(`  from ${since.toFixed(1).padStart(5)} s  ${moving ?? "nothing"}`);
  print("faults of network and hosts", faults);
  print("actions of terminals, operator and acquirer", actions);
  print("results", outcome.figures);
  print("alerts", countedBy(alerts.map(({ alert, status }) => `${alert} (${status})`)));
  print("excuses", excuses);
  const idle = whyIdle(outcome, options);
  if (wrong.length > 0) {
    console.log(`${wrong.length} violations:`);
    for (const violation of wrong.slice(0, MAX_SHOWN)) console.log(`  ${violation}`);
    for (const story of outcome.stories.slice(0, MAX_STORIES)) console.log(story.join("\n  "));
  } else if (idle !== undefined) console.log(`nothing was proven: ${idle}`);
  else console.log(`no violation in ${payments} payments: under ${(300 / payments).toFixed(2)} % at 95 % confidence`);
  return wrong.length === 0 && idle === undefined;
}

const causes = ({ trouble, deploy }: Options, { kills, deployments }: Outcome): string =>
  trouble ?? (deploy ? `${deployments} deployments (${deploy})` : `${kills.join(" and ")} kills of the hosts`);

/** Why a run proves nothing, because it lacks payments or faults; undefined if it does prove something. */
export function whyIdle(
  { payments, kills, faults, deployments }: Pick<Outcome, "payments" | "kills" | "faults" | "deployments">,
  { trouble, deploy }: Partial<Pick<Options, "trouble" | "deploy">> = {},
): string | undefined {
  if (payments === 0) return "no payment was made";
  if (deploy) return deployments === 0 ? "nothing was deployed" : undefined;
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
