import { rm } from "node:fs/promises";
import { join } from "node:path";
import { builtApp } from "../../../infra/tools/built-app.ts";
import { isPacked } from "../../../infra/tools/packed.ts";
import { freePort } from "../../local-azure/common/free-ports.ts";
import type { Opening } from "../../local-azure/common/loopback-only.ts";
import type { LoopbackServer } from "../../local-azure/common/loopback-server.ts";
import { directoryFor, keptIn, removeLeftovers } from "../stack/directories.ts";
import { openKept } from "../stack/kept.ts";
import { startLandingPage } from "./landing-page.ts";
import { startLive, type Live } from "../live/live.ts";
import { openOnEnter } from "./open-page.ts";
import { pageAt, shownFile } from "./public-addresses.ts";
import { publicPorts } from "../stack/ports.ts";
import { startReference } from "../reference/reference.ts";
import { startStack, type Stack, type StackOptions } from "../stack/stack.ts";
import { loopback } from "../stack/stack-file.ts";
import type { Settings } from "../stack/stack-options.ts";
import { demoNames } from "../logs/demo-names.ts";
import { dataSentence, hostNote, inspectNote, logSentence, watchNote } from "./notes.ts";
import type { Progress } from "./progress.ts";
import type { StartWords } from "./start-words.ts";
import { newShownLog, type ShownLog } from "./shown-log.ts";
import { untilStopped } from "./until-stopped.ts";
import { watchApp } from "./watch.ts";
import { welcome } from "./welcome.ts";

const INSPECTOR_PORT = 9229;

/**
 * Starts the platform with its live page and reference, and ends them on Ctrl-C. Throws a sentence if a part cannot be started. On the
 * fixed ports, the public ones must be free.
 */
export async function startEverything(words: StartWords, progress: Progress): Promise<void> {
  const ports = words.ports ?? "fixed";
  const directory = directoryFor(ports);
  await removeLeftovers();
  const kept = keptIn(words.keep);
  if (kept !== undefined) await openKept(kept, { fresh: words.fresh ?? false });
  const log = words.quiet ? undefined : newShownLog();
  const app = await builtFor(words, join(directory, "app"));
  progress.ready("the built app");
  const run = { isStopping: false };
  const live = await startLive({ port: ports === "free" ? 0 : publicPorts.live, open: openingOf(words) });
  const { stack, reference, offer } = await startWatched({
    words,
    directory,
    app: app.directory,
    live,
    log,
    run,
    progress,
  }).catch(async (error: unknown) => {
    await live.stop();
    await app.end();
    throw error;
  });
  progress.ready("pages");
  progress.end();
  const isOffered = words.open && isAtTerminal();
  console.log(
    welcome(shownFile(stack.file, words.publicUrl), {
      seconds: process.uptime().toFixed(1),
      directory,
      data: dataSentence(words, stack.announcedAgain),
      notes: [hostNote(words.host, stack.file), watchNote(words), inspectNote(inspectorPort(words))],
      isOffered,
      log: logSentence(words),
      hasDetails: words.details === true,
    }),
  );
  log?.begin({ names: demoNames(stack.file), isFull: words.everyLine === true });
  const offerNoMore = isOffered ? openOnEnter(live.url) : () => {};
  const watchNoMore = app.watch(stack);
  const stop = async () => {
    run.isStopping = true;
    offerNoMore();
    watchNoMore();
    await Promise.all([reference.stop(), offer.stop()]);
    await live.leave();
    await stack.stop();
    await live.stop();
    await app.end();
  };
  const cause = await untilStopped(stop, { failed: stack.failed, logs: join(directory, "logs") });
  if (cause === "asked") await removeUnlessFixed(ports, directory);
}

/** Removes the folder of a stack on free ports. Stacks on the fixed ports share theirs. */
async function removeUnlessFixed(ports: "fixed" | "free", directory: string): Promise<void> {
  if (ports === "free") await rm(directory, { recursive: true, force: true });
}

interface BuiltApp {
  /** The folder that the host runs. */
  readonly directory: string;
  /** With `--watch`, reloads the app in this stack after each change. Returns a function that ends it. */
  watch(stack: Pick<Stack, "replaceFunctions">): () => void;
  end(): Promise<void>;
}

/**
 * Builds the app. Without `--watch` it is built once, as it is deployed. With it, each change of the sources builds it in the stack's
 * folder. The packed sandbox has the built app, and no sources.
 */
async function builtFor({ watch }: StartWords, directory: string): Promise<BuiltApp> {
  if (!watch) {
    if (!isPacked) await (await import("../../../infra/tools/build.ts")).buildApp();
    return { directory: builtApp, watch: () => () => {}, end: () => Promise.resolve() };
  }
  const { newAppBuilder } = await import("./app-builder.ts");
  const builder = await newAppBuilder(directory);
  await builder.build();
  const say = (sentence: string) => console.log(sentence);
  return {
    directory,
    watch: ({ replaceFunctions }) => watchApp({ builder, reload: replaceFunctions, say }),
    end: builder.end,
  };
}

const inspectorPort = ({ inspect }: StartWords): number | undefined => (inspect === true ? INSPECTOR_PORT : inspect);

const openingOf = ({ host, publicUrl }: StartWords): Opening => ({ host, name: publicUrl?.hostname });

/** Whether a person is at the terminal, to whom the page can be offered. */
const isAtTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY && process.env["CI"] === undefined;

interface Watched {
  readonly words: StartWords;
  readonly directory: string;
  readonly app: string;
  readonly live: Live;
  readonly log: ShownLog | undefined;
  readonly run: { readonly isStopping: boolean };
  readonly progress: Progress;
}

/** Starts a stack, the reference, and the landing page of the demo's offer. The live page watches the stack from its first moment. */
async function startWatched(watched: Watched) {
  const { words, live } = watched;
  const ports = words.ports === "free" ? { reference: await freePort(), landingPage: await freePort() } : publicPorts;
  const pages = { reference: `${loopback(ports.reference)}/`, landingPage: `${loopback(ports.landingPage)}/` };
  const problemPagesUrl = `${pageAt(words.publicUrl, pages.reference)}problems`;
  const stack = await startStack({ ...optionsOf(watched), pages, problemPagesUrl });
  const started: LoopbackServer[] = [];
  try {
    const shown = shownFile(stack.file, words.publicUrl);
    const [open, port] = [openingOf(words), ports.reference];
    const reference = await startReference({ port, open, stack: stack.file, shown, living: live.living });
    started.push(reference);
    const offer = await startLandingPage(ports.landingPage, stack.file, open);
    live.show(stack, shown);
    return { stack, reference, offer };
  } catch (error) {
    await Promise.all([...started, stack].map((part) => part.stop()));
    throw error;
  }
}

/** Short times, so that a user sees failed voids retried, and the operator called for a payment in doubt or a day that differs. */
const watchedTimes = (): Settings =>
  Object.fromEntries(
    Object.entries({ DOUBT_SECONDS: "20", DAY_GRACE_SECONDS: "20", RETRY_VOID_SECONDS: "1" }).map(([name, seconds]) => [
      name,
      process.env[name] ?? seconds,
    ]),
  );

function optionsOf({ words, directory, app, live, log, run, progress }: Watched): StackOptions {
  const { onAppLine, ...watching } = live.watching;
  return {
    ports: words.ports ?? "fixed",
    directory,
    ...watching,
    settings: watchedTimes(),
    keep: keptIn(words.keep),
    app: () => app,
    scaleGroups: words.scaleGroups,
    isReplaceable: words.watch,
    inspect: inspectorPort(words),
    open: openingOf(words),
    onReady: progress.ready,
    onHostEnded() {
      if (!run.isStopping) console.error("The app's host ended by itself. Save a file to start it again.");
    },
    onAppLine(line) {
      onAppLine(line);
      log?.show(line);
    },
  };
}
