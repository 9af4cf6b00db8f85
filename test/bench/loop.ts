import { resolve } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import { builtApp } from "../../infra/tools/built-app.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { defineBench, path, scaleGroups, whole, wholes, type Table, type Progress } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { withFleet, type Fleet, type Sample } from "./fleet.ts";
import { cpuBetween, usageOf } from "./processes.ts";
import { percentile, ratioOf, ratioText, round } from "./statistics.ts";

/** One running build with its terminals. */
interface Side {
  readonly name: string;
  readonly stack: Stack;
  readonly fleet: Fleet;
}

/** The results of one side in one round. */
interface Round {
  readonly samples: readonly Sample[];
  readonly seconds: number;
  /** By part. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

interface Load {
  readonly terminals: number;
  readonly seconds: number;
  readonly every: number;
}

async function runRound({ stack, fleet }: Side, { terminals, seconds, every }: Load): Promise<Round> {
  return fleet.whilePolling(terminals, async () => {
    const before = await usageOf(stack);
    const { samples, seconds: took } = await fleet.payFor(terminals, seconds, every);
    return { samples, seconds: took, cpuMs: cpuBetween(before, await usageOf(stack)) };
  });
}

const rateOf = ({ samples, seconds }: Round): number => samples.length / seconds;
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const cpuOf = ({ samples, cpuMs }: Round): number => sumOf(Object.values(cpuMs)) / samples.length;
const p50 = (of: (sample: Sample) => number) => (round: Round) => percentile(round.samples.map(of), 50);

const lagsOf = (samples: readonly Sample[]): readonly number[] => samples.flatMap(({ lagsMs }) => lagsMs);

/** Summarizes a side's rounds as a line of the table. */
function summary(side: string, terminals: number, rounds: readonly Round[]) {
  const samples = rounds.flatMap((round) => round.samples);
  const of = (value: (sample: Sample) => number, percent: number) => round(percentile(samples.map(value), percent));
  const parts = Object.keys(rounds[0]?.cpuMs ?? {});
  return {
    side,
    terminals,
    payments: samples.length,
    paymentsPerSecond: round(samples.length / sumOf(rounds.map(({ seconds }) => seconds))),
    requestMs: { p50: of(({ requestMs }) => requestMs, 50), p95: of(({ requestMs }) => requestMs, 95) },
    ringMs: { p50: of(({ ringMs }) => ringMs, 50), p95: of(({ ringMs }) => ringMs, 95) },
    wholeMs: { p50: of(({ wholeMs }) => wholeMs, 50), p95: of(({ wholeMs }) => wholeMs, 95) },
    lagMs: { p50: round(percentile(lagsOf(samples), 50)), p95: round(percentile(lagsOf(samples), 95)) },
    cpuMsPerPayment: Object.fromEntries(
      parts.map((part) => [part, round(sumOf(rounds.map(({ cpuMs }) => cpuMs[part] ?? 0)) / samples.length)]),
    ),
  };
}
type Summary = ReturnType<typeof summary>;

/** Compares the first side with the second, by rounds that ran next to each other. */
function compared(terminals: number, [ours = [], other = []]: readonly (readonly Round[])[]) {
  const ratio = (of: (round: Round) => number) => ratioOf(ours.map(of), other.map(of));
  return {
    terminals,
    paymentsPerSecond: ratio(rateOf),
    requestP50: ratio(p50(({ requestMs }) => requestMs)),
    ringP50: ratio(p50(({ ringMs }) => ringMs)),
    wholeP50: ratio(p50(({ wholeMs }) => wholeMs)),
    lagP50: ratio(({ samples }) => percentile(lagsOf(samples), 50)),
    cpuPerPayment: ratio(cpuOf),
  };
}

const columnsOf = (...times: readonly string[]) => times.flatMap((one) => [`${one} p50`, "p95"]);

function tableOf(summaries: readonly Summary[]): Table {
  const parts = Object.keys(summaries[0]?.cpuMsPerPayment ?? {});
  return {
    title: "Whole payments; milliseconds, and CPU milliseconds a payment by process",
    columns: ["build", "terminals", "payments/s", ...columnsOf("request", "ring", "whole", "webhook lag"), ...parts],
    rows: summaries.map(({ side, terminals, paymentsPerSecond, cpuMsPerPayment, ...times }) => [
      side,
      terminals,
      paymentsPerSecond,
      ...[times.requestMs, times.ringMs, times.wholeMs, times.lagMs].flatMap(({ p50, p95 }) => [p50, p95]),
      ...parts.map((part) => cpuMsPerPayment[part] ?? 0),
    ]),
  };
}

async function measure(
  sides: readonly Side[],
  {
    terminals,
    seconds,
    rounds,
    every,
  }: Omit<Load, "terminals"> & { readonly terminals: readonly number[]; readonly rounds: number },
  progress: Progress,
) {
  const summaries: Summary[] = [];
  const ratios: ReturnType<typeof compared>[] = [];
  for (const side of sides) await runRound(side, { terminals: 1, seconds: Math.min(seconds, 5), every }); // to warm up
  for (const count of terminals) {
    const results = sides.map((): Round[] => []);
    for (let round = 1; round <= rounds; round++) {
      for (const [i, side] of sides.entries())
        results[i]?.push(await runRound(side, { terminals: count, seconds, every }));
      progress(`${count} terminals: round ${round} of ${rounds}`);
    }
    summaries.push(...sides.map(({ name }, i) => summary(name, count, results[i] ?? [])));
    if (sides.length > 1) ratios.push(compared(count, results));
  }
  return { summaries, ratios };
}

/** Whole payments under load. Two builds alternate, each on its own stack. While one runs, the terminals of the other do not poll. */
export const loop = defineBench({
  means:
    "whole payments under load: payments/s, times, and CPU a payment by process; alone or compared with another build",
  options: {
    terminals: wholes([1, 16, 64], "terminals that pay at once, each in turn"),
    seconds: whole(20, "seconds of a round"),
    rounds: whole(3, "rounds of each"),
    every: whole(0, "milliseconds from a terminal's payment to its next; 0: at once"),
    partners: whole(0, "partners that share the terminals, each with a webhook server; 0: one for each terminal"),
    "scale-groups": scaleGroups,
    against: path("folder of another built app (its dist), to alternate with"),
  },
  async run({ terminals, seconds, rounds, every, partners, "scale-groups": scaleGroups, against }, progress) {
    await buildApp();
    const most = Math.max(...terminals);
    const onSide = <T>(name: string, app: string, work: (side: Side) => Promise<T>) =>
      onStack({ app: () => app, scaleGroups }, (stack) =>
        withFleet(stack, most, (fleet) => work({ name, stack, fleet }), partners || most),
      );
    const run = (sides: readonly Side[]) => measure(sides, { terminals, seconds, rounds, every }, progress);
    const { summaries, ratios } = await onSide("this", builtApp, (ours) =>
      against === undefined ? run([ours]) : onSide("other", resolve(against), (other) => run([ours, other])),
    );
    const beside: Table = {
      title: "This build compared with the other: median of the rounds' ratios (least to greatest)",
      columns: ["terminals", "payments/s", "request p50", "ring p50", "whole p50", "webhook lag p50", "CPU a payment"],
      rows: ratios.map(({ terminals, ...of }) => [
        terminals,
        ...[of.paymentsPerSecond, of.requestP50, of.ringP50, of.wholeP50, of.lagP50, of.cpuPerPayment].map(ratioText),
      ]),
    };
    return {
      tables: [tableOf(summaries), ...(ratios.length > 0 ? [beside] : [])],
      remarks: [
        "Deadlines fall due 30 and 120 s after a payment: what they cost is booked on the rounds that run then.",
      ],
      figures: { summaries, ratios },
    };
  },
});
