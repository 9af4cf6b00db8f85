import { randomUUID } from "node:crypto";
import { HttpRequest, InvocationContext, type HttpHandler } from "@azure/functions";
import { posPaymentRequest } from "../../functions/partners/pos-payment-request.ts";
import { nextTerminalMessage } from "../../functions/terminals/next-message.ts";
import { report } from "../../functions/terminals/report.ts";
import { readUntil } from "../../shared/adapters/tables/read-until.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "../../shared/edge/auth/authenticate.ts";
import { cachedPartners } from "../../shared/edge/auth/cached-partners.ts";
import { cachedTerminals } from "../../shared/edge/auth/cached-terminals.ts";
import { hashKey } from "../../shared/edge/auth/credentials.ts";
import { scopes } from "../../shared/stores/partners.ts";
import { anApiKey } from "../support/a-partner.ts";
import { aPlatform, aTerminal, merchantId, partnerId, terminalId } from "../support/platform.ts";
import { inMemoryRows } from "../support/in-memory-rows.ts";
import { defineBench, scaleGroups } from "./bench.ts";
import { countingLog, countingQueues, countingRowsBehind, roundTrips, type TableCall } from "./counting-ports.ts";
import { bytesOf, type LoggedLine } from "../support/collected-log.ts";
import { noAuthWork } from "../support/auth-deps.ts";

/** A call with the number of its round trip, which counts from 1 in each step. Calls with the same number run concurrently. */
interface SeenCall extends TableCall {
  readonly trip: number;
}

/** The cost of one step of a payment. */
export interface Step {
  readonly step: string;
  readonly calls: SeenCall[];
  /** The effects that it announced. */
  readonly sends: string[];
  deliveries: number;
  /** The lines that it wrote into the log. */
  readonly lines: LoggedLine[];
  /** The round trips before the step. */
  readonly from: number;
}

const PEPPER = "a pepper of some length";
const SECRET = "secret";
/** The step of work that belongs to another payment. */
const OTHERS = "others";

/** The platform on ports in memory, with keys for its partner and its terminal. Every call of a port is recorded under the running step. */
async function countedPlatform(scaleGroups: boolean) {
  const steps: Step[] = [];
  let step = "";
  let counted = "";
  const { count, back } = roundTrips();
  const current = (): Step => {
    const last = steps.at(-1);
    if (last?.step === step) return last;
    const next: Step = { step, calls: [], sends: [], deliveries: 0, lines: [], from: count() };
    steps.push(next);
    return next;
  };
  const platform = await aPlatform({
    scaleGroups,
    open: (table) =>
      countingRowsBehind({ begin: current, back }, table, inMemoryRows(), (call, begun) => {
        begun.calls.push({ ...call, trip: count() - begun.from });
      }),
    queues: (ports) => countingQueues(ports, back, (queue, what) => void current().sends.push(`${queue}: ${what}`)),
    partners: cachedPartners,
    terminals: cachedTerminals,
    delivering(message) {
      const isOfAnother =
        "subject" in message && "sessionId" in message.subject && message.subject.sessionId !== counted;
      if (isOfAnother) step = OTHERS;
      else step = "raised" in message ? "bare alert" : message.effect;
      current().deliveries++;
    },
  });
  const { deps, log } = platform;
  deps.log = countingLog(log, (line) => void current().lines.push(line));
  const hashOf = (keyId: string) => hashKey(SECRET, PEPPER, { keyId, partnerId });
  const known = await deps.terminals.find(terminalId);
  await deps.terminals.save(aTerminal({ keyHash: hashOf(terminalId), pepperId: "p" }), known?.etag);
  await deps.partners.saveKey(anApiKey({ partnerId, hash: hashOf("k1"), scopes }), undefined);
  const http = {
    ...deps,
    peppers: { p: PEPPER },
    ...noAuthWork,
    responseTimeoutMs: 3_000,
    readUntil,
    checkWebhookUrl: () => undefined,
  };
  const ask = async (
    called: string,
    handler: HttpHandler,
    headers: Readonly<Record<string, string>>,
    { body, query = "" }: { readonly body?: object; readonly query?: string } = {},
  ) => {
    step = called;
    current();
    const text = body && JSON.stringify(body);
    const sized = text !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    };
    const request = new HttpRequest({
      method: text === undefined ? "GET" : "POST",
      url: `http://127.0.0.1/${query}`,
      headers: { ...headers, ...sized },
      ...(text !== undefined && { body: { string: text } }),
    });
    const { status = 200, body: answered } = await handler(request, new InvocationContext());
    const answer = typeof answered === "string" ? answered : "";
    if (status >= 300) throw new Error(`${called} was answered ${status}: ${answer}`);
    return answer;
  };
  const partner = { apikey: `${API_KEY_PREFIX}_k1_${SECRET}` };
  const terminal = { "x-terminal-key": `${TERMINAL_KEY_PREFIX}_${terminalId.replaceAll("-", "")}_${SECRET}` };
  return {
    steps,
    pass: platform.pass,
    /** Counts only this payment from now on. */
    count(sessionID: string): void {
      steps.length = 0;
      counted = sessionID;
    },
    request: async (body: object, idempotencyKey: string) =>
      ask("request", posPaymentRequest.handler(http), { ...partner, "idempotency-key": idempotencyKey }, { body }),
    fetch: async () => {
      const answer = await ask("fetch", nextTerminalMessage.handler(http), terminal);
      return JSON.parse(answer) as { readonly messageID: string };
    },
    report: async (body: { readonly type: string; readonly [field: string]: unknown }) =>
      ask(`report ${body.type}`, report.handler(http), terminal, { body }),
    /** Polls until this time has passed, while nothing comes. The clock stands still but for the poll's own pauses. */
    poll: async (seconds: number) =>
      ask("poll while a person pays", nextTerminalMessage.handler(http), terminal, { query: `?wait=${seconds}` }),
  };
}

/**
 * The cost of one automatic payment, step by step in the order of the steps: request, fetch, two reports, and each message to a worker.
 * Keys are already cached, as in a running process; the terminal's heartbeat is fresh; no poll is empty.
 *
 * @param personSeconds how long the person at the terminal takes, at most one poll. The terminal's poll waits meanwhile
 * @param scaleGroups gives each worker a process of its own
 */
export async function callsOfPayment(personSeconds = 0, scaleGroups = false): Promise<readonly Step[]> {
  const platform = await countedPlatform(scaleGroups);
  await pay(platform, randomUUID()); // fills the caches
  const sessionID = randomUUID();
  platform.count(sessionID);
  await pay(platform, sessionID, personSeconds);
  await platform.pass(DEADLINES_OVER_SECONDS);
  return platform.steps.filter(({ step }) => step !== OTHERS);
}

async function pay(
  { request, fetch, poll, report, pass }: Awaited<ReturnType<typeof countedPlatform>>,
  sessionID: string,
  personSeconds = 0,
): Promise<void> {
  const [totalAmountInclVat, currency] = [125.5, "SEK"];
  const body = {
    sessionID,
    msgType: "paymentRequest",
    merchantID: merchantId,
    pointOfServiceID: terminalId,
    totalAmountInclVat,
    currency,
    captureMode: "automatic",
    merchantReferences: { orderId: randomUUID() },
  };
  await request(body, randomUUID());
  await pass();
  const { messageID } = await fetch();
  const of = { sessionID, messageID };
  await report({ ...of, reportID: randomUUID(), type: "accepted" });
  await pass();
  if (personSeconds > 0) await poll(personSeconds);
  const charge = { chargeID: randomUUID(), amount: totalAmountInclVat, currency };
  await report({ ...of, reportID: randomUUID(), type: "authorized", ...charge });
  await pass();
}

/** From the payment's creation until its last deadline has passed. */
const DEADLINES_OVER_SECONDS = 300;

/** How long a person at the terminal may take, in seconds. */
const PERSON_SECONDS = [20, 40];

const METHODS = ["get", "query", "write", "group", "remove"] as const;
const of = (calls: readonly TableCall[], method: TableCall["method"]) =>
  calls.filter((call) => call.method === method).length;

/** Counts table calls and messages of a payment without timing, so that the counts are exact on every machine. */
export const calls = defineBench({
  means: "table calls and messages of one automatic payment, by step: exact, on ports in memory",
  options: { "scale-groups": scaleGroups },
  async run({ "scale-groups": scaleGroups }) {
    const steps = await callsOfPayment(0, scaleGroups);
    const withPerson = await Promise.all(
      PERSON_SECONDS.map(async (seconds) => {
        const counted = await callsOfPayment(seconds, scaleGroups);
        return [seconds, counted.flatMap((step) => step.calls).length] as const;
      }),
    );
    const row = (
      step: string,
      some: readonly TableCall[],
      sends: number,
      { deliveries, lines }: Pick<Step, "deliveries" | "lines">,
    ) => [
      step,
      some.length,
      ...METHODS.map((method) => of(some, method)),
      sends,
      deliveries,
      lines.length,
      bytesOf(lines),
    ];
    const all = steps.flatMap(({ calls }) => calls);
    const sends = steps.flatMap((step) => step.sends);
    const deliveries = steps.reduce((sum, step) => sum + step.deliveries, 0);
    const lines = steps.flatMap((step) => step.lines);
    const tables = [...new Set(all.map(({ table }) => table))].toSorted();
    return {
      tables: [
        {
          title: "Table calls, messages and log lines, by step",
          columns: ["step", "calls", ...METHODS, "sends", "deliveries", "log lines", "their bytes"],
          rows: [
            ...steps.map((step) => row(step.step, step.calls, step.sends.length, step)),
            row("all", all, sends.length, { deliveries, lines }),
          ],
        },
        {
          title: "Table calls, by table",
          columns: ["table", "calls", ...METHODS],
          rows: tables.map((table) => {
            const some = all.filter((call) => call.table === table);
            return [table, some.length, ...METHODS.map((method) => of(some, method))];
          }),
        },
        { title: "Table calls, by the time that a person takes", columns: ["seconds", "calls"], rows: withPerson },
        {
          title: "Each call",
          columns: ["step", "round trip", "table", "method", "keys", "result"],
          rows: steps.flatMap(({ step, calls }) =>
            calls.map(({ trip, table, method, keys, result }) => [step, trip, table, method, keys, result]),
          ),
        },
        {
          title: "Each message",
          columns: ["step", "sends"],
          rows: steps.flatMap(({ step, sends }) => sends.map((send) => [step, send])),
        },
      ],
      figures: {
        tableCalls: all.length,
        withPerson,
        sends: sends.length,
        deliveries,
        bytesLogged: bytesOf(lines),
        steps,
      },
    };
  },
});
