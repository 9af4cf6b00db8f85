import type { StackFile } from "../stack/stack-file.ts";
import { startAutopilot } from "../../terminal/simulated/autopilot.ts";
import { onBattery, onMains, serialOf } from "../../terminal/simulated/device.ts";
import { lineTo } from "../../terminal/simulated/line.ts";
import { volatileMemory, type MemoryStore } from "../../terminal/simulated/memory.ts";
import { terminalClient, type TerminalClient } from "../../terminal/simulated/terminal-client.ts";
import type { DemoTerminal } from "../../../infra/operator/common/seed.ts";
import { countedDay } from "./counted-day.ts";
import { startHandPlayed } from "./hand-played.ts";
import { Refusal } from "./source.ts";
import { watchTerminal } from "./terminal-watch.ts";
import type { TerminalAction, TerminalView } from "./views/terminals.ts";

/** The demo's terminals, which people see and play. */
export interface Counter {
  views(): readonly TerminalView[];
  /** Acts at the terminal with this pointOfServiceID. Throws `Refusal` if the action makes no sense now. */
  atTerminal(id: string, action: TerminalAction): Promise<void>;
  /** Cuts the power of all terminals. */
  stop(): Promise<void>;
}

export interface CounterOptions {
  /** Called whenever a terminal looks different. */
  readonly changed: () => void;
  /** Milliseconds of one step of a terminal. A contactless card takes eight steps, and a chip twenty. */
  readonly paceMs?: number;
  /** How long a display shows the result of a payment, in milliseconds. */
  readonly noticeMs?: number;
  readonly now?: () => number;
  readonly clientOf?: (terminal: DemoTerminal) => TerminalClient;
  /** The memory of a terminal. Default: a memory that is lost with this process. */
  readonly memoryOf?: (terminal: DemoTerminal) => MemoryStore;
}

/** A terminal of the counter. */
interface Station {
  view(): TerminalView;
  act?(action: TerminalAction): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Plays the terminals of a stack that was started `withoutAutopilot`. A person plays one, and the autopilot's scripts play another. Both
 * are plain clients of the terminals' API. The third one is left to programs.
 */
export function startCounter(
  { terminalsUrl, demo }: Pick<StackFile, "terminalsUrl" | "demo">,
  options: CounterOptions,
): Counter {
  const { changed, paceMs = 100, noticeMs = 4_000, now = Date.now } = options;
  const { clientOf = ({ terminalKey }) => terminalClient({ terminalsUrl, terminalKey }) } = options;
  const { memoryOf = volatileMemory } = options;
  const watched = () => watchTerminal({ now, noticeMs, changed });
  const { counter, autopilot, silent } = demo.terminals;

  function played(terminal: DemoTerminal): Station {
    const watch = watched();
    const { act, state, stop } = startHandPlayed(clientOf(terminal), {
      watch,
      paceMs,
      changed,
      store: memoryOf(terminal),
      device: onMains(serialOf(terminal.pointOfServiceID)),
    });
    return {
      view: () => ({ ...named(terminal, "Counter"), player: "person", ...state(), journal: watch.journal() }),
      act,
      async stop() {
        watch.stop();
        await stop();
      },
    };
  }
  function automatic(terminal: DemoTerminal): Station {
    const watch = watched();
    const { memory, save } = memoryOf(terminal);
    const { client } = lineTo(clientOf(terminal), watch.exchanged);
    const device = onBattery(serialOf(terminal.pointOfServiceID));
    const { stop } = startAutopilot(client, { paceMs, memory, save, device, journal: watch.reported });
    return {
      view: () => ({
        ...named(terminal, "Autopilot"),
        player: "autopilot",
        power: "on",
        display: watch.display(),
        unsent: memory.outbox.length,
        day: countedDay(memory),
        journal: watch.journal(),
      }),
      async stop() {
        watch.stop();
        await stop();
      },
    };
  }
  const stations = [...(counter ? [played(counter)] : []), automatic(autopilot), unplayed(silent)];
  return {
    views: () => stations.map(({ view }) => view()),
    async atTerminal(id, action) {
      const station = stations.find(({ view }) => view().id === id);
      if (!station) throw new Refusal("There is no such terminal.");
      if (!station.act) throw new Refusal("This terminal is not played by hand: choose the terminal named Counter.");
      await station.act(action);
    },
    async stop() {
      await Promise.all(stations.map(({ stop }) => stop()));
    },
  };
}

const named = ({ pointOfServiceID }: DemoTerminal, name: string) => ({ id: pointOfServiceID, name });

const unplayed = (terminal: DemoTerminal): Station => ({
  view: () => ({
    ...named(terminal, "Silent"),
    player: "none",
    power: "on",
    display: { mode: "off", prompt: "" },
    unsent: 0,
    journal: [],
  }),
  stop: async () => {},
});
