import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { HttpRequest, InvocationContext } from "@azure/functions";
import { settlementFileOfDay } from "../../functions/partners/settlement-file.ts";
import { settlements } from "../../functions/partners/settlements.ts";
import type { SettlementObject } from "../../shared/contracts/objects/settlement.ts";
import { noLog } from "../../infra/operator/common/platform.ts";
import { readUntil } from "../../shared/adapters/tables/read-until.ts";
import { API_KEY_PREFIX } from "../../shared/edge/auth/authenticate.ts";
import { cachedPartners } from "../../shared/edge/auth/cached-partners.ts";
import { hashKey } from "../../shared/edge/auth/credentials.ts";
import { dayAfter, type Booking } from "../../shared/domain/booking.ts";
import { dayOf, type Day } from "../../shared/domain/time.ts";
import type { Clock } from "../../shared/ports/clock.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import type { Row, Rows } from "../../shared/ports/rows.ts";
import { eachTable, type TablePorts, tablePorts } from "../../shared/stores/stores.ts";
import { aBooking } from "../support/a-booking.ts";
import { addBookings } from "../support/add-bookings.ts";
import { anApiKey, aPartner } from "../support/a-partner.ts";
import { partnerId } from "../support/platform.ts";
import { lookAtSettlement } from "../support/settlement.ts";
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

/** The cost of a reading: of the whole day by pages, or of its closing. */
interface Measured {
  readonly calls: number;
  readonly bytes: number;
  /** Milliseconds of each answer. The closing has one. */
  readonly ms: readonly number[];
  /** Milliseconds of another partner's requests meanwhile. */
  readonly others: readonly number[];
  /** The longest stop of the event loop, in milliseconds. */
  readonly stopMs: number;
  /** Bytes by which the process grew. */
  readonly grown: number;
}

/** A partner's day as its accountant reads it, page by page: the endpoint with its authentication, on tables over HTTP. */
export const settlement = defineBench({
  means:
    "table calls, milliseconds and bytes of a day's settlement by pages, as JSON and as a file, and of its closing",
  options: {
    payments: whole(10_000, "captured payments of the day; one in fifty is refunded"),
    terminals: whole(100, "terminals that they were made on"),
    limit: whole(1_000, "lines of a page"),
    rounds: whole(3, "how often the day is read; the forms alternate"),
  },
  async run({ payments, terminals, limit, rounds }, progress) {
    const measured = await onTables(async (connection) => {
      const day = dayAfter(dayOf(new Date().toISOString()), -5);
      const desk = await aDesk(connection);
      const names = Array.from({ length: terminals }, () => randomUUID());
      const booked = await book(desk.ports, { payments, terminals: names, day });
      progress(`${booked} bookings of ${payments} payments are written`);
      const results: Record<string, Measured> = { closing: await desk.close(day) };
      for (let i = 0; i < rounds; i++)
        for (const form of ["JSON", "CSV"] as const) {
          const read = await desk.read(form, { day, limit, lines: booked });
          results[form] = joined(results[form], read);
        }
      return results;
    });
    return {
      tables: [
        {
          title: `The settlement of a day of ${payments} payments on ${terminals} terminals, ${limit} lines a page`,
          columns: ["", "calls", "MB", "first ms", "slowest ms", "whole ms", "others' p95 ms", "stop ms", "grown MB"],
          rows: Object.entries(measured).map(([what, one]) => [what, ...cellsOf(one, what === "closing" ? 1 : rounds)]),
        },
      ],
      remarks: ["Other partners' requests are reads of an empty day, one after the other, in the same process."],
      figures: { payments, terminals, limit, rounds, measured },
    };
  },
});

const cellsOf = ({ calls, bytes, ms, others, stopMs, grown }: Measured, rounds: number) => [
  round(calls / rounds),
  round(bytes / rounds / 1e6, 2),
  round(ms[0] ?? 0),
  round(Math.max(...ms)),
  round(ms.reduce((sum, one) => sum + one, 0) / rounds),
  round(percentile(others, 95)),
  round(stopMs),
  round(grown / 1e6),
];

const joined = (before: Measured | undefined, one: Measured): Measured => ({
  calls: (before?.calls ?? 0) + one.calls,
  bytes: (before?.bytes ?? 0) + one.bytes,
  ms: [...(before?.ms ?? []), ...one.ms],
  others: [...(before?.others ?? []), ...one.others],
  stopMs: Math.max(before?.stopMs ?? 0, one.stopMs),
  grown: Math.max(before?.grown ?? 0, one.grown),
});

/** An answer, with the query of the next page. */
interface Answer {
  readonly text: string;
  readonly lines: number;
  readonly next: string | undefined;
}

const forms = {
  JSON: {
    type: /^application\/json/,
    read(text: string): Answer {
      const { bookings, next } = JSON.parse(text) as SettlementObject;
      return { text, lines: bookings.length, next };
    },
  },
  CSV: {
    type: /^text\/csv/,
    read: (text: string, link: string | undefined): Answer => ({
      text,
      lines: text.split("\r\n").filter((line) => line.startsWith("booking,")).length,
      next: new URLSearchParams(/<\?(.*)>/.exec(link ?? "")?.[1]).get("after") ?? undefined,
    }),
  },
};

/** The endpoints on these tables, with two partners and their keys. */
async function aDesk(connection: string) {
  let calls = 0;
  const rows = azureTables(connection);
  const pagesOf = (found: Row[]): Row[] => {
    calls += Math.max(1, Math.ceil(found.length / PAGE_ROWS));
    return found;
  };
  const counted = eachTable((table) => ({
    ...countingRows(table, rows[table], () => void calls++),
    withPrefix: async (...query: Parameters<Rows["withPrefix"]>) => pagesOf(await rows[table].withPrefix(...query)),
    after: async (...query: Parameters<Rows["after"]>) => pagesOf(await rows[table].after(...query)),
  }));
  const ports = tablePorts(counted);
  for (const [keyId, id] of Object.entries(KEYS)) {
    await ports.partners.save(aPartner({ partnerId: id }), undefined);
    const hash = hashKey(SECRET, PEPPER, { keyId, partnerId: id });
    await ports.partners.saveKey(anApiKey({ keyId, partnerId: id, hash }), undefined);
  }
  const ask = asking(ports);
  const measure = async (work: () => Promise<readonly Timed[]>): Promise<Measured> => {
    calls = 0;
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    const rss = process.memoryUsage.rss();
    const others = asOthers(() => ask("JSON", { key: "k2", date: "2026-11-21" }));
    const answers = await work();
    const grown = process.memoryUsage.rss() - rss;
    loop.disable();
    const ofOthers = await others.end();
    const bytes = answers.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const ms = answers.map((one) => one.ms);
    return { calls: calls - ofOthers.calls, bytes, ms, others: ofOthers.ms, stopMs: loop.max / 1e6, grown };
  };
  return {
    ports,
    /** Closes the day, as its look does. */
    close: (day: Day): Promise<Measured> =>
      measure(async () => {
        const began = performance.now();
        await lookAtSettlement(ports, { partnerId, day }, new Date().toISOString());
        return [{ text: "", lines: 0, next: undefined, ms: performance.now() - began }];
      }),
    /** Reads the day page by page. Throws if a line is missing or comes twice. */
    read: (form: keyof typeof forms, { day, limit, lines }: { day: Day; limit: number; lines: number }) =>
      measure(async () => {
        const pages: Timed[] = [];
        for (let after: string | undefined; ;) {
          const page = await ask(form, { key: "k1", date: day, limit, after });
          pages.push(page);
          if ((after = page.next) === undefined) break;
        }
        const found = pages.reduce((sum, page) => sum + page.lines, 0);
        if (found !== lines) throw new Error(`The ${form} of ${day} has ${found} lines, not ${lines}.`);
        return pages;
      }),
  };
}

const KEYS = { k1: partnerId, k2: "aaaaaaaa-0000-4000-8000-000000000002" } as const;

interface Asked {
  readonly key: keyof typeof KEYS;
  readonly date: Day;
  readonly limit?: number;
  readonly after?: string | undefined;
}
type Timed = Answer & { readonly ms: number };

/** Calls the endpoints. Throws if a response is not a success, or not of the form that was asked for. */
function asking(ports: TablePorts) {
  const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
  const deps = {
    ...ports,
    partners: cachedPartners(ports.partners, clock),
    clock,
    newId: () => randomUUID(),
    log: noLog,
    peppers: { p: PEPPER },
    ...noAuthWork,
    responseTimeoutMs: 3_000,
    readUntil,
  };
  const handlers = { JSON: settlements.handler(deps), CSV: settlementFileOfDay.handler(deps) };
  return async (form: keyof typeof forms, { key, date, limit, after }: Asked): Promise<Timed> => {
    const query = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(after !== undefined && { after }),
    });
    const headers = { apikey: `${API_KEY_PREFIX}_${key}_${SECRET}` };
    const request = new HttpRequest({
      method: "GET",
      url: `http://127.0.0.1/?${query.toString()}`,
      params: { date },
      headers,
    });
    const began = performance.now();
    const { status, body, headers: answered } = await handlers[form](request, new InvocationContext());
    const ms = performance.now() - began;
    const text = typeof body === "string" ? body : "";
    const sent = new Headers(answered);
    if (status !== 200 || !forms[form].type.test(sent.get("content-type") ?? ""))
      throw new Error(`The ${form} of ${date} was answered ${status}: ${text.slice(0, 500)}`);
    return { ...forms[form].read(text, sent.get("link") ?? undefined), ms };
  };
}

/** Requests of another partner, one after the other, until they end. */
function asOthers(ask: () => Promise<Timed>) {
  const ms: number[] = [];
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      ms.push((await ask()).ms);
      await sleep(5);
    }
  })();
  return {
    async end(): Promise<{ readonly ms: readonly number[]; readonly calls: number }> {
      ending.abort();
      await running;
      return { ms, calls: CALLS_OF_OTHERS * ms.length };
    },
  };
}

/** The day, and its terminals. The partner and its key are cached. */
const CALLS_OF_OTHERS = 2;

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
