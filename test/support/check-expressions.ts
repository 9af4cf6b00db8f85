import { newScript, runScript, wholeNumber } from "../../infra/tools/script.ts";
import { buildCsharp, dotnetIsPresent, runInCsharp } from "../../packages/local-azure/gateway/test/csharp.ts";
import { compared, toCall } from "../../packages/local-azure/gateway/test/expressions/compare.ts";
import { draw, drawContext, drawExpression } from "../../packages/local-azure/gateway/test/expressions/draw.ts";

// `npm run check:expressions` compares the local gateway's expressions with C#'s, for the same random expressions in the same random
// contexts.

interface Options {
  readonly seed: number;
  readonly count: number;
}

const CONTEXTS = 200;
const CONTEXTS_OF_EACH = 5;
const SHOWN = 20;

/** Prints the counts, and returns the exit code. */
async function compareAll({ seed, count }: Options): Promise<number> {
  const d = draw(seed);
  const contexts = Array.from({ length: CONTEXTS }, () => drawContext(d));
  const expressions = Array.from({ length: count }, () => ({
    source: drawExpression(d),
    contexts: Array.from({ length: CONTEXTS_OF_EACH }, () => d.below(CONTEXTS)),
  }));
  await buildCsharp();
  const inCsharp = await runInCsharp({ contexts, expressions });
  const calls = contexts.map(toCall);
  const results = expressions.map(({ source, contexts }, index) => ({
    source,
    ...compared(
      source,
      contexts.flatMap((at) => calls[at] ?? []),
      inCsharp[index] ?? null,
    ),
  }));
  for (const { source, differences } of results.filter(({ outcome }) => outcome === "differ").slice(0, SHOWN)) {
    console.log(`${JSON.stringify(source)}\n  ${differences.join("\n  ")}`);
  }
  const of = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((all, one) => all + of(one), 0);
  const outcomes = {
    bothRan: of("bothRan"),
    refusedHere: of("refusedHere"),
    refusedByBoth: of("refusedByBoth"),
    differ: of("differ"),
  };
  const evaluations = sum((one) => one.evaluations);
  const failedInBoth = sum((one) => one.failedInBoth);
  console.log(JSON.stringify({ seed, expressions: count, ...outcomes, evaluations, failedInBoth }));
  return outcomes.differ === 0 && outcomes.bothRan > 0 ? 0 : 1;
}

export const script = newScript(
  "npm run check:expressions --",
  "Evaluates drawn policy expressions by the local gateway and by C#, and compares. It needs the .NET SDK.",
)
  .option("--seed <number>", "draws those of this seed", wholeNumber, 1)
  .option("--count <count>", "draws so many", wholeNumber, 10_000)
  .action(async (options: Options) => {
    if (!dotnetIsPresent) throw new Error("It needs the .NET SDK: there is no dotnet on this machine.");
    process.exitCode = await compareAll(options);
  });

if (import.meta.main) await runScript(script);
