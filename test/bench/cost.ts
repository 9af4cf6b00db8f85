import { readFile } from "node:fs/promises";
import * as z from "zod";
import { LONGEST_WAIT_SECONDS } from "../../packages/terminal/simulated/terminal-client.ts";
import { defineBench, path, positive, whole, wholes, type Progress } from "./bench.ts";
import { calls } from "./calls.ts";
import { idle } from "./idle.ts";
import { monthOf, type Month } from "./month.ts";
import { prices, type Price } from "./prices.ts";
import { round } from "./statistics.ts";

const callsFigures = z.object({ tableCalls: z.number(), sends: z.number(), deliveries: z.number() });
const idleFigures = z.object({
  callsPerSecondAndTerminal: z.number(),
  /** For the one measured instance. */
  bellReadsPerSecond: z.number(),
});

/** The figures of a benchmark, from the file that its `--json` wrote. Without a file they are measured now. */
async function figuresOf<T>(figures: z.ZodType<T>, file: string | undefined, measure: () => Promise<unknown>) {
  if (file === undefined) return figures.parse(await measure());
  return z.object({ figures }).parse(JSON.parse(await readFile(file, "utf8"))).figures;
}

/** Fewer terminals than usual, because the cost of one does not depend on their number. */
const measuredIdle = { terminals: "50" };

async function countedRates(
  files: { calls?: string | undefined; idle?: string | undefined },
  pollSeconds: number,
  progress: Progress,
) {
  const of = await figuresOf(callsFigures, files.calls, async () => (await calls.prepare({})(progress)).figures);
  const waiting = await figuresOf(
    idleFigures,
    files.idle,
    async () => (await idle.prepare(measuredIdle)(progress)).figures,
  );
  return {
    tableCalls: of.tableCalls,
    busOperations: of.sends + 2 * of.deliveries,
    deliveries: of.deliveries,
    idleCalls: waiting.callsPerSecondAndTerminal,
    instanceCalls: waiting.bellReadsPerSecond,
    pollSeconds,
  };
}

const dollars = (usd: number): number => round(usd, usd < 10 ? 1 : 0);

const rowOf = (terminals: number, { payments, instances, usd }: Month) => [
  terminals,
  instances,
  ...[usd.tableCalls, usd.stored, usd.bus, usd.executions, usd.memory, usd.gateway, usd.all].map(dollars),
  round((100 * usd.all) / payments, 3),
];

/** The cost of a month in Azure. */
export const cost = defineBench({
  means: "the cost of a month in Azure, from counted calls and list prices",
  options: {
    calls: path("the file of `calls --json`; counted again without it"),
    idle: path("the file of `idle --json`; measured again without it, in two minutes"),
    terminals: wholes([100, 1_000, 10_000], "terminals"),
    payments: whole(200, "payments of a terminal a day"),
    poll: whole(LONGEST_WAIT_SECONDS, "seconds of an empty poll"),
    "per-instance": whole(500, "terminals that one instance carries"),
    gigabytes: positive(2, "memory of an instance in GB"),
    kilobytes: positive(20, "size of the rows that a payment leaves in the tables, in kB"),
    months: whole(12, "months that payments are kept"),
  },
  async run(options, progress) {
    const rates = await countedRates({ calls: options.calls, idle: options.idle }, options.poll, progress);
    const months = options.terminals.map((terminals) => ({
      terminals,
      ...monthOf(rates, {
        terminals,
        paymentsPerDay: options.payments,
        terminalsPerInstance: options["per-instance"],
        instanceGigabytes: options.gigabytes,
        kilobytesPerPayment: options.kilobytes,
        monthsKept: options.months,
      }),
    }));
    return {
      tables: [
        {
          title: `US dollars a month, at ${options.payments} payments of a terminal a day`,
          columns: [
            "terminals",
            "instances",
            "table calls",
            "stored",
            "Service Bus",
            "executions",
            "memory",
            "gateway",
            "all",
            "cents a payment",
          ],
          rows: months.map((month) => rowOf(month.terminals, month)),
        },
        {
          title: "What is counted",
          columns: [
            "table calls a payment",
            "bus operations",
            "worker runs",
            "calls/s idle",
            "calls/s an instance",
            "poll s",
          ],
          rows: [
            [
              rates.tableCalls,
              rates.busOperations,
              rates.deliveries,
              round(rates.idleCalls, 2),
              round(rates.instanceCalls, 2),
              rates.pollSeconds,
            ],
          ],
        },
        {
          title: "Prices",
          columns: ["meter", "for", "US dollars, where it costs first", "source", "dated", ""],
          rows: Object.values<Price>(prices).map(({ meter, per, tiers, source, dated, isAssumed }) => [
            meter,
            per,
            tiers.find(({ usd }) => usd > 0)?.usd ?? 0,
            source,
            dated,
            isAssumed ? "assumed" : "",
          ]),
        },
      ],
      remarks: [
        "Assumed: every terminal waits all the time, payments or not; an instance is paid for all of the month, since a poll is always under way in it;",
        "a unit of the gateway takes 1,000 requests/s. Not counted: logs, the network, partners' own requests.",
      ],
      figures: { rates, months, prices },
    };
  },
});
