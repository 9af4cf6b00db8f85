import { lineOf } from "./exchange.ts";
import type { Platform } from "./platform.ts";
import type { RuleNumber } from "./rules.ts";
import { newScene, RuleBroken, type SceneOptions } from "./scene.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { describedBy } from "./self-description.ts";

/** The result of a scenario. */
export interface Result {
  readonly name: string;
  /** Whether no rule was broken. */
  readonly passed: boolean;
  readonly ms: number;
  /** Why it was not played. Absent if it was. */
  readonly skipped?: string;
  /** The broken rule and what the kit saw. Only a failed scenario has them. */
  readonly rule?: RuleNumber;
  readonly sees?: string;
  /** The exchanged messages, with milliseconds since the scenario began. Only a failed scenario has them. */
  readonly exchange?: readonly string[];
}

/**
 * Plays the scenarios one after another. The terminal has no power before and after. After a failed scenario the kit cuts the power and
 * empties the memory, so that the failure does not affect the next scenario.
 *
 * Rejects if the terminal ends before its first call, because no rule is broken if its command is wrong.
 *
 * @param seen called with each result as soon as it is known
 */
export async function play(
  scenarios: readonly Scenario[],
  options: SceneOptions,
  seen: (result: Result) => void = () => {},
): Promise<readonly Result[]> {
  const { platform, terminal } = options;
  const results: Result[] = [];
  let isOn = false;
  try {
    for (const scenario of scenarios) {
      if (!isOn) await switchOn(options);
      const result = skippedOf(scenario, platform) ?? (await playOne(scenario, options));
      isOn = result.passed;
      if (!isOn) {
        await cut(options);
        await terminal.forget();
      }
      platform.inbox.clear();
      platform.troubles.clear();
      results.push(result);
      seen(result);
    }
  } finally {
    if (isOn) await cut(options);
  }
  return results;
}

async function cut({ platform, terminal }: SceneOptions): Promise<void> {
  platform.hangUp();
  await terminal.cutPower();
}

/** Switches the terminal on. If the terminal breaks a rule here, the next scenario reports it. */
async function switchOn(options: SceneOptions): Promise<void> {
  await newScene(options)
    .powerOn()
    .catch((error: unknown) => {
      if (!(error instanceof RuleBroken)) throw error;
    });
}

/** The result of a scenario about an ability that the terminal does not name. */
function skippedOf({ name, needs }: Scenario, platform: Platform): Result | undefined {
  if (needs === undefined || describedBy(platform).can.includes(needs)) return undefined;
  return { name, passed: true, ms: 0, skipped: `The terminal does not name \`${needs}\` in \`can\`.` };
}

async function playOne(scenario: Scenario, options: SceneOptions): Promise<Result> {
  const { platform } = options;
  const [began, first] = [performance.now(), platform.exchanges.length];
  const scene = newScene(options);
  const ms = () => Math.round(performance.now() - began);
  try {
    await scenario.play(scene);
    await scene.finish();
    return { name: scenario.name, passed: true, ms: ms() };
  } catch (error) {
    if (!(error instanceof RuleBroken)) throw error;
    const crash = options.terminal.crash();
    if (crash !== undefined && platform.exchanges.length === 0)
      throw new Error(`The terminal ended before its first call: ${crash}`, { cause: error });
    const { rule, message: sees } = error;
    return {
      name: scenario.name,
      passed: false,
      ms: ms(),
      rule,
      sees,
      exchange: exchangeSince(platform, first, began),
    };
  }
}

/** Omits polls without a message, unless they came before the start was reported. */
function exchangeSince({ exchanges, unannounced }: Platform, first: number, began: number): readonly string[] {
  const exchanged = exchanges
    .slice(first)
    .filter(({ operation, status }) => operation !== "next-message" || status === 200)
    .map((exchange) => ({ at: exchange.at, line: lineOf(exchange) }));
  const early = unannounced
    .filter(({ at }) => at >= began)
    .map(({ at, call }) => ({ at, line: `<- ${call}, before \`started\` was answered` }));
  return [...exchanged, ...early]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, line }) => `${String(Math.round(at - began)).padStart(6)} ms ${line}`);
}
