import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/tools/build.ts";
import { defineBench, whole } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { withFleet } from "./fleet.ts";
import { percentile, round } from "./statistics.ts";

/** The longest pause between two reads of a poll. */
const LONGEST_PAUSE_MS = 1_000;

/** The time until an idle terminal rings. */
export const ring = defineBench({
  means: "from the partner's 202 until an idle terminal has the message, across processes",
  options: {
    payments: whole(100, "payments, one at a time"),
    terminals: whole(20, "terminals that poll, all idle but one"),
  },
  async run({ payments, terminals }) {
    await buildApp();
    // As in Azure with two zones: half of the polls wait in another process than their requests, and all in another one than the workers.
    const samples = await onStack({ hosts: 2, scaleGroups: true }, (stack) =>
      withFleet(stack, terminals, (fleet) =>
        fleet.whilePolling(terminals, async () => {
          for (let warm = 0; warm < terminals; warm++) await fleet.pay(warm);
          const samples = [];
          for (let paid = 0; paid < payments; paid++) {
            // A poll reads again after at most one second. Without a random wait every payment would arrive at the same moment of that
            // pause.
            await sleep(Math.random() * LONGEST_PAUSE_MS);
            samples.push(await fleet.pay(paid));
          }
          return samples;
        }),
      ),
    );
    const row = (what: string, ms: readonly number[]) => [
      what,
      ...[50, 95, 100].map((percent) => round(percentile(ms, percent))),
    ];
    return {
      tables: [
        {
          title: `Milliseconds of ${payments} payments, one at a time at ${terminals} terminals`,
          columns: ["", "p50", "p95", "slowest"],
          rows: [
            row(
              "from the 202 to the terminal (ring)",
              samples.map(({ ringMs }) => ringMs),
            ),
            row(
              "the request",
              samples.map(({ requestMs }) => requestMs),
            ),
            row(
              "until the webhook of the capture",
              samples.map(({ wholeMs }) => wholeMs),
            ),
          ],
        },
      ],
      figures: { payments, terminals, samples },
    };
  },
});
