import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lastRehearsal, shownPath } from "../../infra/local/directories.ts";
import { startStack } from "../../infra/local/stack.ts";
import { endSignal, runScript, UsageError } from "../../infra/script.ts";
import { beginDay, patientQueues, shortDeadlines } from "../chaos/day.ts";
import { readSessions } from "../chaos/sessions.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { buildApps, type Apps } from "./apps.ts";
import { liveThrough } from "./live-through.ts";
import { rehearsalScript, type Options } from "./options.ts";
import { rehearsalPage } from "./page/page.ts";
import { verdictOf } from "./page/verdict.ts";
import { planOf } from "./plan.ts";
import { recordOf } from "./recorded.ts";
import { rehearsalRecord, type Rehearsal } from "./record.ts";
import type { Behaviour } from "./troubles.ts";

// `npm run rehearse`: some minutes of a shop's day on the app as it is deployed, with troubles one after the other, and a page about it that
// its users can read. It stands in `test`, because its terminals, partners, operator and checker are those of `npm run chaos`, and neither the
// product nor `infra` may import those. Chaos mixes faults at random to find defects; a rehearsal has each by itself, to show its effect.

/** A fault's window must end within the longest time that the switch for faults takes, an hour. */
const MOST_MINUTES = 120;
/** One in so many terminals errs during its trouble, and the webhook server of one in so many partners hangs. */
const ONE_OF = 3;
const errs = (terminal: number): boolean => terminal % ONE_OF === 0;
const hangs = (terminal: number): boolean => terminal % ONE_OF === 1;
/** Customers come at random, so that a terminal has some time between two of them. */
const PAUSE_MS = [200, 1_500] as const;
/** A user who ends a rehearsal waits this long at most until the payments under way have come to their end. */
const QUIET_AFTER_EARLY_END_MS = 30_000;

async function rehearse(options: Options): Promise<void> {
  if (options.minutes > MOST_MINUTES) throw new UsageError(`A rehearsal has ${MOST_MINUTES} minutes at most.`);
  const signal = endSignal();
  const directory = await mkdtemp(join(tmpdir(), "rehearsal-"));
  try {
    const apps = await buildApps(directory, options.trouble.includes("two-versions"));
    const record = await liveOn(apps, { options, directory, signal });
    await write(record, options);
    const { kind, headline } = verdictOf(record);
    console.log(headline);
    for (const sentence of record.broken) console.error(`  ${sentence}`);
    process.exitCode = kind === "kept" ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Circumstances {
  readonly options: Options;
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Lives through the day on a stack of its own, which ends with it. */
async function liveOn(apps: Apps, { options, directory, signal }: Circumstances): Promise<Rehearsal> {
  const { hosts, version, beside } = apps;
  const stack = await startStack({
    ports: "free",
    directory,
    hosts: 2,
    withoutAutopilot: true, // its idle poll would keep a server from ending for a minute
    app: hosts.app,
    onAppLine: hosts.onAppLine,
    queueOverrides: patientQueues,
    settings: (host) => ({ ...shortDeadlines, ...hosts.settings(host) }),
  });
  try {
    const behaviour: Behaviour = { areTerminalsTroubled: false, hanging: undefined };
    const random = seededRandom(options.seed);
    const day = await beginDay(stack, {
      ...options,
      isPerfect: (terminal) => !options.trouble.includes("imperfect-terminals") || !errs(terminal),
      areTerminalsTroubled: () => behaviour.areTerminalsTroubled,
      isReachable: false,
      pauseMs: () => random.realBetween(...PAUSE_MS),
      respond: (terminal) => (hangs(terminal) && behaviour.hanging?.over.then(() => 204)) || 204,
      midnightMs: () => (options.minutes / 2) * 60_000,
      doesOperatorErr: false,
    });
    try {
      const startedAt = Date.now();
      const slots = planOf(options.minutes, options.trouble);
      const scene = { stack, hosts, behaviour, random: seededRandom(options.seed + 1_000) };
      const now = () => (Date.now() - startedAt) / 1_000;
      const happened = await liveThrough(slots, { scene, now, signal, tell: console.log });
      const isEndedEarly = signal.aborted;
      console.log(isEndedEarly ? EARLY : "The day is over; what is under way comes to its end.");
      const ended = await day.end(isEndedEarly ? QUIET_AFTER_EARLY_END_MS : undefined);
      const payments = (await readSessions(stack.file)).map(({ payment }) => payment);
      return recordOf({
        options,
        startedAt,
        happened,
        day: ended,
        payments,
        hanging: new Set(day.partnerIDs.filter((_, terminal) => hangs(terminal))),
        app: { version, beside },
        timesLeft: hosts.timesLeft(),
        isEndedEarly,
      });
    } finally {
      await day.stop();
    }
  } finally {
    await stack.stop();
  }
}

const EARLY = `Ended early. What is under way gets ${QUIET_AFTER_EARLY_END_MS / 1_000} s to come to its end; Ctrl-C again ends at once, without a page.`;

/** Writes the page to where the live page finds it, or to where the options want it, and its data where they want these. */
async function write(record: Rehearsal, { out = lastRehearsal, json }: Options): Promise<void> {
  await writeInto(out, rehearsalPage(record));
  if (json !== undefined) await writeInto(json, `${JSON.stringify(rehearsalRecord.parse(record), null, 2)}\n`);
  console.log(`The page: ${out === lastRehearsal ? shownPath(out) : out}`);
}

async function writeInto(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

export const script = rehearsalScript(rehearse, 1 + (Date.now() % 1_000_000));

if (import.meta.main) await runScript(script);
