import project from "../../../package.json" with { type: "json" };
import type { Opening } from "../../local-azure/common/loopback-only.ts";
import type { FaultBoard } from "../../local-azure/faults/board.ts";
import { faultyNames } from "../stack/faults-of-stack.ts";
import { scriptList } from "../../terminal/simulated/scripts.ts";
import type { Stack, StackOptions } from "../stack/stack.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { startCounter, type Counter } from "./counter.ts";
import type { ReadCall } from "./calls.ts";
import { faultView } from "./faults.ts";
import { liveSource } from "./live-source.ts";
import { attemptIn } from "./log-lines.ts";
import { newMirror } from "./mirror.ts";
import { newPassed } from "./stack-events.ts";
import { newReceiver, WEBHOOK_PATH } from "./receiver.ts";
import { newRecords } from "./records.ts";
import { serveLive } from "./server.ts";
import { spanReceiver } from "./spans.ts";
import type { LiveSource } from "./source.ts";
import { newState, type LiveState } from "./state.ts";
import { newTraces } from "./traces.ts";
import type { PaymentView } from "./views/payments.ts";
import type { StackView } from "./views/stack.ts";

/** The live page of a stack. */
export interface Live {
  readonly url: string;
  /** The options with which the stack must start, so that the page sees it from the first moment. */
  readonly watching: Required<Pick<StackOptions, "onPublished" | "onAppLine" | "live" | "withoutAutopilot">>;
  /** The events on the stack so far, the newest first. */
  readonly living: { readonly payments: () => readonly PaymentView[]; readonly calls: () => readonly ReadCall[] };
  /** Shows the stack when it runs. The page's requests wait until then. `shown` has the addresses that people follow, if they differ. */
  show(stack: Stack, shown?: StackFile): void;
  /**
   * Ends the page's activity on the stack: its terminals and hanging webhooks. Call it before the stack stops, because the stop waits for
   * them.
   */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

interface LiveAddress {
  readonly port: number;
  /** The address and name at which the page is reached, in addition to loopback. */
  readonly open?: Opening | undefined;
}

/**
 * Starts the live page on this port, before its stack. The app sends its traces, and the demo partner's webhooks go, to the page's own
 * server. If the port is in use, rejects with the error of `listen`.
 */
export async function startLive({ port, open }: LiveAddress): Promise<Live> {
  const state = newState();
  const mirror = newMirror((table, unit) => records.changed(table, unit));
  const records = newRecords(mirror.tables, state);
  const passed = newPassed(state, mirror);
  const traces = newTraces();
  let file: StackFile | undefined;
  const secrets = () => records.webhookSecrets(file?.demo.partnerID ?? "", file?.webhookSecretKeys ?? {});
  const receiver = newReceiver({ state, secrets, now: Date.now });
  const spans = spanReceiver((arrived) => traces.add(arrived).forEach(records.touch));
  const source = Promise.withResolvers<LiveSource>();
  const server = await serveLive({
    port,
    open,
    source: source.promise,
    beside: (request, response) => receiver.beside(request, response) || spans(request, response),
  });
  let faults: FaultsWatch | undefined;
  let counter: Counter | undefined;
  const seeTerminals = () => {
    if (counter) state.set("terminals", counter.views());
  };
  return {
    url: server.url,
    watching: {
      live: { url: server.url, webhookUrl: webhookUrlAt(server.url) },
      withoutAutopilot: true, // the counter plays it, so that its display can be seen
      onPublished: passed.onPublished,
      onAppLine(line) {
        const attempt = attemptIn(line);
        if (attempt) receiver.noteAttempt(attempt);
      },
    },
    living: {
      payments: () => state.snapshot().payments,
      calls: () => state.snapshot().calls.flatMap(({ id }) => passed.call(id) ?? []),
    },
    show(stack, shown = stack.file) {
      file = stack.file;
      faults = watchFaults(stack.faults, state);
      const view = stackView(shown, webhookUrlAt(server.url));
      counter = startCounter(file, { changed: seeTerminals, memoryOf: stack.memoryOf });
      seeTerminals();
      const parts = { state, records, passed, traces, receiver, counter, lookAtFaults: faults.look };
      source.resolve(liveSource(parts, { stack, view }));
    },
    async leave() {
      receiver.stop();
      await counter?.stop();
    },
    async stop() {
      faults?.stop();
      records.stop();
      state.stop();
      await server.stop();
    },
  };
}

const stackView = (
  { baseUrl, terminalsUrl, reference, landingPage, demo }: StackFile,
  webhookUrl: string,
): StackView => ({
  baseUrl,
  terminalsUrl,
  referenceUrl: reference,
  landingPageUrl: landingPage,
  webhookUrl,
  partnerID: demo.partnerID,
  merchantID: demo.merchantID,
  webhookSecret: demo.webhookSecret,
  productID: demo.consumer.productID,
  templateAccessTokenID: demo.consumer.templateAccessTokenID,
  keyTemplateAccessTokenID: demo.consumer.keyTemplateAccessTokenID,
  version: project.version,
  scripts: scriptList(),
  tables: faultyNames.tables,
  queueNames: faultyNames.queues,
});

const webhookUrlAt = (liveUrl: string): string => new URL(WEBHOOK_PATH, liveUrl).href;

interface FaultsWatch {
  readonly look: () => void;
  readonly stop: () => void;
}

/** Reads the board twice a second, because faults also expire and other programs set them. */
function watchFaults(board: Pick<FaultBoard, "list">, state: Pick<LiveState, "set">): FaultsWatch {
  let before = "[]";
  const look = () => {
    const faults = board.list().map(faultView);
    const now = JSON.stringify(faults);
    if (now !== before) state.set("faults", faults);
    before = now;
  };
  const timer = setInterval(look, 500);
  return { look, stop: () => clearInterval(timer) };
}
