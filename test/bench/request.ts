import { randomUUID } from "node:crypto";
import { buildApp } from "../../infra/build.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import type { Tables } from "../../shared/tables/table-ports.ts";
import { defineBench, whole, wholes } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { withFleet } from "./fleet.ts";
import { percentile, ratioOf, ratioText, round } from "./statistics.ts";

const columns = { v: 1, json: JSON.stringify({ text: "x".repeat(400) }) };
const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns }) as const;
const overwrite = (rowKey: string) => ({ kind: "overwrite", rowKey, columns }) as const;

/**
 * The table calls of a payment request, in its three round trips, and nothing else: three reads, the two lists, one group of three. (`npm
 * run bench -- calls` names them.) Returns milliseconds.
 */
async function floor({ payments, terminals, orders, listings }: Tables, terminalId: string): Promise<number> {
  const id = randomUUID();
  const began = performance.now();
  await Promise.all([
    payments.get(id, "session"),
    terminals.withPrefix(terminalId, "terminal"),
    orders.get(id, "order"),
  ]);
  await Promise.all([
    listings.submit(`day~${id}`, [overwrite("entry")]),
    listings.submit(`open~${id}`, [overwrite("entry")]),
  ]);
  await payments.submit(id, [insert("session"), insert("history~000001"), insert("command~1")]);
  return performance.now() - began;
}

/** So many at once, each one after the other, for this time. */
async function floorFor(
  tables: Tables,
  { terminals, seconds }: { terminals: number; seconds: number },
): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  const one = async () => {
    const terminalId = randomUUID();
    while (performance.now() - began < seconds * 1_000) times.push(await floor(tables, terminalId));
  };
  await Promise.all(Array.from({ length: terminals }, one));
  return times;
}

/** The time of a payment request, and of its table calls alone. */
export const request = defineBench({
  means: "POST pos-payment-request while terminals pay in turn, compared with its table calls alone",
  options: {
    terminals: wholes([1, 16], "terminals that pay at once, each in turn"),
    seconds: whole(15, "seconds of a round"),
    rounds: whole(3, "rounds of each"),
  },
  async run({ terminals, seconds, rounds }, tell) {
    await buildApp();
    const results = await onStack({}, (stack) =>
      withFleet(stack, Math.max(...terminals), async (fleet) => {
        const tables = azureTables(stack.file.tables);
        const results = [];
        await fleet.whilePolling(1, () => fleet.payFor(1, Math.min(seconds, 5))); // to warm up
        await floorFor(tables, { terminals: 1, seconds: 1 });
        for (const count of terminals) {
          const ms = { request: new Array<readonly number[]>(), floor: new Array<readonly number[]>() };
          for (let round = 1; round <= rounds; round++) {
            const { samples } = await fleet.whilePolling(count, () => fleet.payFor(count, seconds));
            ms.request.push(samples.map(({ requestMs }) => requestMs));
            ms.floor.push(await floorFor(tables, { terminals: count, seconds }));
            tell(`${count} terminals: round ${round} of ${rounds}`);
          }
          const p50s = (rounds: readonly (readonly number[])[]) => rounds.map((ms) => percentile(ms, 50));
          results.push({ terminals: count, ms, ratio: ratioOf(p50s(ms.request), p50s(ms.floor)) });
        }
        return results;
      }),
    );
    const cells = (rounds: readonly (readonly number[])[]) =>
      [50, 95].map((percent) => round(percentile(rounds.flat(), percent)));
    return {
      tables: [
        {
          title:
            "Milliseconds of a payment request through the gateway, and of its table calls alone from this process",
          columns: ["terminals", "request p50", "p95", "table calls p50", "p95", "ratio of p50 (least to greatest)"],
          rows: results.map(({ terminals, ms, ratio }) => [
            terminals,
            ...cells(ms.request),
            ...cells(ms.floor),
            ratioText(ratio),
          ]),
        },
      ],
      remarks: [
        "Requests run beside the rest of their payments; table calls alone run alone, and without a pause: a floor at one terminal only.",
      ],
      figures: { seconds, rounds, results },
    };
  },
});
