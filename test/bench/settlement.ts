import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { HttpRequest, InvocationContext } from "@azure/functions";
import { settlementFileOfDay } from "../../functions/partners/settlement-file.ts";
import { settlements } from "../../functions/partners/settlements.ts";
import { noLog } from "../../infra/operator/common/platform.ts";
import { readUntil } from "../../shared/adapters/tables/read-until.ts";
import { API_KEY_PREFIX } from "../../shared/edge/auth/authenticate.ts";
import { cachedPartners } from "../../shared/edge/auth/cached-partners.ts";
import { hashKey } from "../../shared/edge/auth/credentials.ts";
import { dayAfter, type Booking } from "../../shared/domain/booking.ts";
import { dayOf, type Day } from "../../shared/domain/time.ts";
import type { Clock } from "../../shared/ports/clock.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { bookingsPrefix, terminalPartition } from "../../shared/stores/keys.ts";
import type { Row, Rows } from "../../shared/ports/rows.ts";
import { eachTable, type TablePorts, tablePorts } from "../../shared/stores/stores.ts";
import { eachOf } from "../../shared/use-cases/each-of.ts";
import { aBooking } from "../support/a-booking.ts";
import { addBookings } from "../support/add-bookings.ts";
import { anApiKey, aPartner } from "../support/a-partner.ts";
import { partnerId } from "../support/platform.ts";
import { onTables } from "./bench-tables.ts";
import { defineBench, whole } from "./bench.ts";
import { countingRows } from "./counting-ports.ts";
import { percentile, round } from "./statistics.ts";
import { noAuthWork } from "../support/auth-deps.ts";

const PEPPER = "a pepper of some length";
const SECRET = "secret";
/** One payment in this many is refunded. */
const REFUNDED_EVERY = 50;
/** With the row of its day, a group stays within a hundred rows. */
const BOOKINGS_OF_GROUP = 90;
const PAGE_ROWS = 1_000;

interface Measured {
  readonly tableCalls: number;
  readonly bytes: number;
  readonly ms: readonly number[];
  /** For this process, in which the endpoint runs. */
  readonly cpuMs: readonly number[];
}

/** A partner's day as its accountant receives it: the endpoint with its authentication, on tables over HTTP. */
export const settlement = defineBench({
  means:
    "table calls, milliseconds and bytes of a day's settlement, as JSON and as a file, and of the call that closes it",
  options: {
    payments: whole(9_000, "captured payments of the day; one in fifty is refunded"),
    terminals: whole(30, "terminals that they were made on"),
    rounds: whole(20, "how often each is asked; they alternate"),
  },
  async run({ payments, terminals, rounds }, progress) {
    const measured = await onTables(async (connection) => {
      const day = dayAfter(dayOf(new Date().toISOString()), -5);
      const { ports, ask, page } = await aDesk(connection);
      const names = Array.from({ length: terminals }, () => randomUUID());
      const booked = await book(ports, { payments, terminals: names, day });
      progress(`${booked} bookings of ${payments} payments are written`);
      const asked = {
        JSON: () => ask("JSON", day),
        CSV: () => ask("CSV", day),
        "its rows alone": () => page(names, day),
      };
      const results: Record<string, Measured> = { "the call that closes the day": await asked.JSON() };
      for (let i = 0; i < rounds; i++)
        for (const [what, once] of Object.entries(asked)) results[what] = joined(results[what], await once());
      return results;
    });
    return {
      tables: [
        {
          title: `The settlement of a day of ${payments} payments on ${terminals} terminals`,
          columns: ["", "table calls", "MB", "p50 ms", "p95 ms", "most ms", "CPU ms, p50"],
          rows: Object.entries(measured).map(([what, { tableCalls, bytes, ms, cpuMs }]) => [
            what,
            tableCalls,
            round(bytes / 1e6, 2),
            ...[50, 95, 100].map((percent) => round(percentile(ms, percent))),
            round(percentile(cpuMs, 50)),
          ]),
        },
      ],
      remarks: ["A page of a thousand rows is a table call. CPU is of this process, without the tables' own."],
      figures: { payments, terminals, rounds, measured },
    };
  },
});

const joined = (before: Measured | undefined, one: Measured): Measured => ({
  ...one,
  ms: [...(before?.ms ?? []), ...one.ms],
  cpuMs: [...(before?.cpuMs ?? []), ...one.cpuMs],
});

/** The endpoint on these tables, with a partner and its key. After its first call the partner is cached, as in a running process. */
async function aDesk(connection: string) {
  let tableCalls = 0;
  const rows = azureTables(connection);
  const pagesOf = (found: Row[]): Row[] => {
    tableCalls += Math.max(1, Math.ceil(found.length / PAGE_ROWS));
    return found;
  };
  const counted = eachTable((table) => ({
    ...countingRows(table, rows[table], () => void tableCalls++),
    withPrefix: async (...query: Parameters<Rows["withPrefix"]>) => pagesOf(await rows[table].withPrefix(...query)),
    after: async (...query: Parameters<Rows["after"]>) => pagesOf(await rows[table].after(...query)),
  }));
  const tables = tablePorts(counted);
  const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
  await tables.partners.save(aPartner({ partnerId }), undefined);
  await tables.partners.saveKey(
    anApiKey({ partnerId, hash: hashKey(SECRET, PEPPER, { keyId: "k1", partnerId }) }),
    undefined,
  );
  const deps = {
    ...tables,
    partners: cachedPartners(tables.partners, clock),
    clock,
    newId: () => randomUUID(),
    log: noLog,
    peppers: { p: PEPPER },
    ...noAuthWork,
    responseTimeoutMs: 3_000,
    readUntil,
  };
  const handlers = { JSON: settlements.handler(deps), CSV: settlementFileOfDay.handler(deps) };
  async function timed(work: () => Promise<string>): Promise<Measured> {
    tableCalls = 0;
    const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
    const text = await work();
    const { user, system } = process.cpuUsage(cpuBegan);
    const ms = performance.now() - began;
    return { tableCalls, bytes: Buffer.byteLength(text), ms: [ms], cpuMs: [(user + system) / 1_000] };
  }
  return {
    ports: tables,
    /** Reads the rows of the day's bookings terminal by terminal, and discards them. */
    page: (terminals: readonly string[], day: Day): Promise<Measured> =>
      timed(async () => {
        await eachOf(terminals, (terminalId) =>
          counted.terminals.withPrefix(terminalPartition(terminalId), bookingsPrefix(day)),
        );
        return "";
      }),
    /** Calls the endpoint. Throws if the response is not a success. */
    async ask(form: keyof typeof handlers, date: Day): Promise<Measured> {
      const request = new HttpRequest({
        method: "GET",
        url: "http://127.0.0.1/",
        params: { date },
        headers: { apikey: `${API_KEY_PREFIX}_k1_${SECRET}` },
      });
      return timed(async () => {
        const { status, body } = await handlers[form](request, new InvocationContext());
        const text = typeof body === "string" ? body : "";
        if (status !== 200) throw new Error(`The ${form} of ${date} was answered ${status}: ${text}`);
        return text;
      });
    },
  };
}

interface ADay {
  readonly payments: number;
  readonly terminals: readonly string[];
  readonly day: Day;
}

/** Books a day of captures and some refunds. Resolves with the number of bookings. */
async function book(ports: TablePorts, { payments, terminals, day }: ADay): Promise<number> {
  const groups = terminals.flatMap((terminalId, i) => {
    const length = Math.ceil((payments - i) / terminals.length);
    const made = Array.from({ length }, (_, n) => n * terminals.length + i);
    const all = made.flatMap((number) => bookingsOf({ terminalId, day, number }));
    return Array.from({ length: Math.ceil(all.length / BOOKINGS_OF_GROUP) }, (_, group) =>
      all.slice(group * BOOKINGS_OF_GROUP, (group + 1) * BOOKINGS_OF_GROUP),
    );
  });
  for (const group of groups) await addBookings(ports, group, day);
  return groups.flat().length;
}

/** The capture of a payment, and its refund if it has one. */
function bookingsOf({
  terminalId,
  day,
  number,
}: {
  readonly terminalId: string;
  readonly day: Day;
  readonly number: number;
}): Booking[] {
  const sessionId = randomUUID();
  const at = new Date(Date.parse(`${day}T06:00:00.000Z`) + number * 5_000).toISOString();
  const asReceived = { sessionId, merchantId: "Merchant-1", terminalId };
  const capture = aBooking({
    partnerId,
    terminalId,
    sessionId,
    asReceived,
    sequence: 3,
    businessDay: day,
    amount: 1_000 + number,
    chargeId: randomUUID(),
    orderId: `order-${number}`,
    paymentId: `payment-${number}`,
    at,
  });
  if (number % REFUNDED_EVERY !== 0) return [capture];
  const refundId = randomUUID();
  const refund = { kind: "refund", direction: "debit", sequence: 5, refundId, amount: 500 } as const;
  return [capture, { ...capture, ...refund, asReceived: { ...asReceived, refundId } }];
}
