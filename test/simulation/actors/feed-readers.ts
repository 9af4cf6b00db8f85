import type { HttpRequest, HttpResponseInit, InvocationContext } from "@azure/functions";
import * as z from "zod";
import { events } from "../../../functions/partners/events.ts";
import { hashKey } from "../../../shared/edge/auth/credentials.ts";
import { CREDENTIALS } from "../../../shared/edge/auth/invalid-credentials.ts";
import { numberIn } from "../../../shared/contracts/events/event-page.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import { newestPolls } from "../../../shared/use-cases/bells/newest-polls.ts";
import { anApiKey } from "../../support/a-partner.ts";
import type { Http } from "../platform/http.ts";
import type { Platform } from "../platform/platform.ts";
import { FAULTS_END, instantAt, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { noAuthWork } from "../../support/auth-deps.ts";

/** A partner's program that follows the feed. It saves `next` after it has processed a page, and continues from there after a crash. */
export interface FeedReader {
  readonly name: string;
  readonly partnerId: string;
  /** The only terminal that its key reaches; undefined for all. */
  readonly terminalId: string | undefined;
  /** The processed events in order, each as JSON. An event that it read twice is there once. */
  readonly read: readonly string[];
  /** The number of the saved cursor when the platform was restored; undefined without a restore. */
  readonly restoredFrom: number | undefined;
  /** Reads the rest of the feed, on tables without faults. */
  drain(): Promise<void>;
}

interface Surroundings {
  readonly platform: Platform;
  readonly http: Http;
  readonly partnerIds: readonly string[];
  readonly terminals: readonly Terminal[];
}

const PEPPER_ID = "p";
const peppers = { [PEPPER_ID]: "a pepper of some length" };
const SECRET = "secret";
const page = z.object({ events: z.array(z.unknown()), next: z.string() });
type Page = z.infer<typeof page>;
type HandlerDeps = Parameters<typeof events.handler>[0];

/**
 * Starts each partner's readers. One reads from the beginning. Often a second one begins late, or its key reaches only one terminal. They
 * call the real endpoint with changing pauses and pages of all sizes, and seldom wait for an event.
 */
export async function startFeedReaders(
  world: World,
  { platform, http, partnerIds, terminals }: Surroundings,
): Promise<readonly FeedReader[]> {
  const { quirks } = world;
  const readers: FeedReader[] = [];
  for (const partnerId of partnerIds) {
    const own = terminals.filter((terminal) => terminal.partnerId === partnerId).map(({ terminalId }) => terminalId);
    const [first, ...others] = own;
    const late = { startsAt: quirks.between(0, 40 * MINUTE), terminalId: quirks.pick(undefined, first, ...others) };
    const begins = [{ startsAt: 0, terminalId: undefined }, ...(quirks.chance(0.5) ? [late] : [])];
    for (const [i, { startsAt, terminalId }] of begins.entries()) {
      const keyId = `feed-${partnerId}-${i}`;
      const terminalIds = terminalId === undefined ? undefined : [terminalId.toLowerCase()];
      const hash = hashKey(SECRET, peppers[PEPPER_ID] ?? "", { keyId, partnerId });
      await platform.ports.partners.saveKey(
        anApiKey({ keyId, partnerId, terminalIds, hash, pepperId: PEPPER_ID }),
        undefined,
      );
      const reader = createReader(world, platform, { keyId, partnerId, terminalId });
      readers.push(reader);
      void reader.follow(http, startsAt);
    }
  }
  return readers;
}

function createReader(
  world: World,
  platform: Platform,
  { keyId, partnerId, terminalId }: { readonly keyId: string } & Pick<FeedReader, "partnerId" | "terminalId">,
) {
  const { agenda, quirks, lostTime } = world;
  const read: string[] = [];
  let saved: { readonly cursor: string | undefined; readonly count: number } = { cursor: undefined, count: 0 };
  let restoredFrom: number | undefined;

  /** After a restore the reads beyond the saved cursor are uncertain: the feed may continue without those events. */
  function noteRestore(): void {
    if (lostTime.restoredAt === undefined || restoredFrom !== undefined) return;
    restoredFrom = saved.cursor === undefined ? 0 : numberIn(saved.cursor);
    read.length = saved.count;
  }

  function deal({ events: found, next }: Page, most: number): void {
    if (found.length > most) world.violate("a page has more events than were asked for", `${keyId} ${found.length}`);
    for (const [i, event] of found.map((one) => JSON.stringify(one)).entries()) {
      const at = saved.count + i;
      read[at] ??= event;
      if (read[at] !== event) world.violate("what is read again has other events", `${keyId} ${at}: ${event}`);
    }
    world.trace?.(keyId, `read ${found.length} events after ${saved.count}`);
    if (!world.faultPlan.fault(0.1, "reader crashes before it saves"))
      saved = { cursor: next, count: saved.count + found.length };
  }

  async function ask(deps: HandlerDeps, query: Readonly<Record<string, string>>): Promise<HttpResponseInit> {
    const cursor = saved.cursor === undefined ? {} : { after: saved.cursor };
    return events.handler(deps)(requestOf(keyId, { ...query, ...cursor }), {} as InvocationContext);
  }

  /** The page in a response; undefined if the response tells nothing. A reader that follows `next` is never refused. */
  function pageIn({ status = 0, body }: HttpResponseInit): Page | undefined {
    const text = typeof body === "string" ? body : "";
    if (status === 200) return page.parse(JSON.parse(text));
    if (status < 500) world.violate("a reader of the feed was refused", `${keyId} ${saved.cursor}: ${text}`);
    return undefined;
  }

  async function follow(http: Http, startsAt: number): Promise<void> {
    await agenda.sleep(startsAt);
    for (let polls = quirks.between(4, 12); polls > 0 && agenda.now() < FAULTS_END; polls--) {
      const most = quirks.pick(1, 2, 5, 100);
      const wait = quirks.pick(0, 0, 0, 0, 0, 1, 3, 20);
      const answer = await http({ name: `${keyId} reads`, waits: true }, (deps) =>
        ask(withPeppers(deps), { limit: String(most), wait: String(wait) }),
      );
      noteRestore();
      const found = answer.kind === "answered" ? pageIn(answer.value) : undefined;
      if (found) deal(found, most);
      await agenda.sleep(quirks.between(0, quirks.pick(5 * SECOND, MINUTE, 10 * MINUTE)));
    }
  }

  async function drain(): Promise<void> {
    noteRestore();
    const clock = { now: () => instantAt(agenda.now()), sleep: agenda.sleep };
    const deps = withPeppers({ ...platform.ports, polls: newestPolls(), clock, newId: world.newId, log: silent });
    for (let before: string | undefined; ;) {
      const found = pageIn(await ask(deps, {}));
      if (!found || (found.events.length === 0 && found.next === before)) return;
      before = found.next;
      deal(found, 100);
    }
  }

  return {
    name: keyId,
    partnerId,
    terminalId,
    read,
    get restoredFrom() {
      return restoredFrom;
    },
    follow,
    drain,
  };
}

const silent: HandlerDeps["log"] = { write: () => {}, within: (_names, _invocation, work) => work(), note: () => {} };

const withPeppers = (
  deps: Omit<HandlerDeps, "peppers" | keyof typeof noAuthWork | "readUntil" | "responseTimeoutMs">,
): HandlerDeps => ({
  ...deps,
  peppers,
  ...noAuthWork,
  responseTimeoutMs: 3 * SECOND,
  readUntil: (_end, read) => read(),
});

/** The parts of a request that the endpoint reads: address and headers. */
const requestOf = (keyId: string, query: Readonly<Record<string, string>>): HttpRequest => {
  const headers = new Headers({ [CREDENTIALS.apikey]: `pk_${keyId}_${SECRET}` });
  return {
    method: "GET",
    url: `https://platform.example/events?${new URLSearchParams(query).toString()}`,
    headers,
    params: {},
    body: null,
  } as unknown as HttpRequest;
};
