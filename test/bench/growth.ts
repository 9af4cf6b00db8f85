import { randomUUID } from "node:crypto";
import { HISTORY_PREFIX, INBOX_PREFIX, SESSION_ROW, TERMINAL_ROW } from "../../shared/tables/keys.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import type { Rows } from "../../shared/tables/rows.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { defineBench, whole, wholes } from "./bench.ts";
import { onTables, type BenchTables } from "./bench-tables.ts";
import { rawTable } from "./raw-tables.ts";
import { percentile, ratioOf, ratioText, round } from "./statistics.ts";

const GROUP = 100;
/** Partitions that grow at the same time: terminals whose messages leave their tombstones. */
const TERMINALS = 20;
/** The rows of one payment: the session, its history and its commands. */
const PAYMENT_ROWS = 10;
const AT_ONCE = 8;

const columns = { v: 1, json: "{}" };
const inserted = (rowKey: string) => ({ kind: "insert", rowKey, columns }) as const;

/** Calls with 0, 1, 2 … up to this number, several at a time. */
async function times(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Adds tombstones of answered messages, which stay permanently: so many rows in a few partitions. */
const addTombstones = (rows: Rows, terminals: readonly string[], count: number): Promise<void> =>
  times(Math.ceil(count / GROUP), (group) =>
    rows.submit(
      terminals[group % terminals.length] ?? "",
      Array.from({ length: Math.min(GROUP, count - group * GROUP) }, (_, i) =>
        inserted(`slot~${String(group * GROUP + i).padStart(9, "0")}`),
      ),
    ),
  );

/** Adds payments: so many rows, each payment in its own partition with a row key that all payments share. */
async function addPayments(rows: Rows, count: number): Promise<string> {
  const others = Array.from({ length: PAYMENT_ROWS - 1 }, (_, i) => inserted(`${HISTORY_PREFIX}${i}`));
  const partitions = Array.from({ length: Math.ceil(count / PAYMENT_ROWS) }, () => `${randomUUID()}~${randomUUID()}`);
  await times(partitions.length, (i) => rows.submit(partitions[i] ?? "", [inserted(SESSION_ROW), ...others]));
  return partitions[Math.floor(partitions.length / 2)] ?? "";
}

/** The result is the number of rows that it returned. */
type Call = () => Promise<number>;

/** An Azurite whose tables have so many rows each, and the calls on them. */
async function grown({ connection }: BenchTables, size: number) {
  const { terminals, payments } = azureTables(connection);
  const raw = rawTable(connection, tableNames.terminals);
  const names = Array.from({ length: TERMINALS }, () => randomUUID());
  const [own = ""] = names;
  const first = [TERMINAL_ROW, `${TERMINAL_ROW}~seen`, `${INBOX_PREFIX}1`].map(inserted);
  await terminals.submit(own, first);
  await addTombstones(terminals, names, size - first.length);
  const payment = await addPayments(payments, size);
  const calls: Readonly<Record<string, Call>> = {
    "query terminal…": async () => (await terminals.withPrefix(own, TERMINAL_ROW)).length,
    "query inbox…": async () => (await terminals.withPrefix(own, INBOX_PREFIX)).length,
    "all rows of a payment": async () => (await payments.withPrefix(payment, "")).length,
    "point read of a terminal": async () => ((await terminals.get(own, TERMINAL_ROW)) ? 1 : 0),
    "the same over plain HTTP": async () => ((await raw.get(own, TERMINAL_ROW)) === undefined ? 0 : 1),
    "point read of a session": async () => ((await payments.get(payment, SESSION_ROW)) ? 1 : 0),
    "update of a session": async () => {
      const session = await payments.get(payment, SESSION_ROW);
      if (!session) throw new Error("the payment is gone");
      await payments.submit(payment, [{ kind: "replace", rowKey: SESSION_ROW, columns, etag: session.etag }]);
      return 1;
    },
  };
  return { size, calls, close: () => raw.close() };
}
type Grown = Awaited<ReturnType<typeof grown>>;

/** Runs the work next to one Azurite for each size. */
const onEach = <T>(sizes: readonly number[], work: (all: readonly Grown[]) => Promise<T>): Promise<T> => {
  const [size, ...others] = sizes;
  if (size === undefined) return work([]);
  return onTables(async (tables) => {
    const one = await grown(tables, size);
    try {
      return await onEach(others, (rest) => work([one, ...rest]));
    } finally {
      await one.close();
    }
  });
};

/** The cost of calls as tables grow. */
export const growth = defineBench({
  means: "rows that a call returns, and its time, in tables of several sizes",
  options: {
    rows: wholes([1_000, 10_000, 100_000], "rows in the tables, growing"),
    calls: whole(20, "calls of a kind in a round"),
    rounds: whole(10, "rounds; each round measures every size"),
  },
  async run({ rows: sizes, calls: count, rounds }, tell) {
    const ascending = sizes.toSorted((a, b) => a - b);
    const results = await onEach(ascending, async (all) => {
      tell(`${ascending.join(", ")} rows are written`);
      const found = new Map<string, { rows: number; medians: number[]; ms: number[] }>();
      for (let round = 0; round < rounds; round++)
        for (const kind of Object.keys(all[0]?.calls ?? {}))
          for (const { size, calls } of round % 2 === 0 ? all : all.toReversed()) {
            const entry = found.get(`${kind} ${size}`) ?? { rows: 0, medians: [], ms: [] };
            found.set(`${kind} ${size}`, entry);
            const ms: number[] = [];
            while (ms.length < count) {
              const began = performance.now();
              entry.rows = (await calls[kind]?.()) ?? 0;
              ms.push(performance.now() - began);
            }
            entry.medians.push(percentile(ms, 50));
            entry.ms.push(...ms);
          }
      return Object.keys(all[0]?.calls ?? {}).flatMap((kind) =>
        ascending.map((size) => {
          const { rows = 0, medians = [], ms = [] } = found.get(`${kind} ${size}`) ?? {};
          const least = found.get(`${kind} ${ascending[0]}`)?.medians ?? [];
          const [p50, p95] = [percentile(ms, 50), percentile(ms, 95)];
          return { kind, size, rows, p50, p95, besideLeast: ratioOf(medians, least) };
        }),
      );
    });
    return {
      tables: [
        {
          title: "Calls of the local cloud's tables, in milliseconds",
          columns: ["call", "rows in the table", "rows it returns", "p50", "p95", "compared with the smallest table"],
          rows: results.map(({ kind, size, rows, p50, p95, besideLeast }) => [
            kind,
            size,
            rows,
            round(p50, 2),
            round(p95, 2),
            ratioText(besideLeast),
          ]),
        },
      ],
      remarks: ["An update is a point read and a replacement on its ETag."],
      figures: { calls: count, rounds, results },
    };
  },
});
