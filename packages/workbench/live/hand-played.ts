import { countDay, dayInUtc, dayToClose, type Lie } from "../../terminal/simulated/business-day.ts";
import { lineTo } from "../../terminal/simulated/line.ts";
import type { MemoryStore } from "../../terminal/simulated/memory.ts";
import { startPlayedTerminal, type Decision, type PlayedTerminal } from "../../terminal/simulated/played-terminal.ts";
import type { Session } from "../../terminal/simulated/session.ts";
import type { TerminalClient } from "../../terminal/simulated/terminal-client.ts";
import { countedDay } from "./counted-day.ts";
import { answered, asked, cardPresented, powerCut } from "./display.ts";
import { Refusal } from "./source.ts";
import type { TerminalWatch } from "./terminal-watch.ts";
import type { TerminalAction, TerminalView } from "./views/terminals.ts";

/** A terminal that a person plays. Its power and its network can be cut. */
export interface HandPlayed {
  /** Throws `Refusal` if the action makes no sense now. */
  act(action: TerminalAction): Promise<void>;
  state(): Pick<TerminalView, "power" | "display" | "unsent" | "day">;
  stop(): Promise<void>;
}

export interface HandPlayedOptions {
  readonly watch: TerminalWatch;
  readonly paceMs: number;
  readonly changed: () => void;
  readonly store: MemoryStore;
}

/** Starts the terminal with power, network and its stored memory. */
export function startHandPlayed(
  client: TerminalClient,
  { watch, paceMs, changed, store }: HandPlayedOptions,
): HandPlayed {
  let hasNetwork = true;
  let cutting: Promise<void> | undefined;
  const line = lineTo(client, watch.exchanged);
  const powerOn = (): PlayedTerminal =>
    startPlayedTerminal(line.client, {
      paceMs,
      memory: store.memory,
      save: store.save,
      journal: watch.reported,
      presented: ({ message: { sessionID = "" } }, entryMode) =>
        watch.change((screen) => cardPresented(screen, sessionID, entryMode)),
    });
  let terminal: PlayedTerminal | undefined = powerOn();

  const powered = (): PlayedTerminal => {
    if (!terminal) throw new Refusal("The terminal has no power: plug it in first.");
    return terminal;
  };
  const decide = (decision: Decision) => {
    const at = powered();
    const session = at.waiting();
    if (!session) throw new Refusal("There is nothing to pay at this terminal.");
    at.decide(session, decision);
  };
  const charged = (): [PlayedTerminal, Session] => {
    const at = powered();
    const session = at.charged();
    if (!session) throw new Refusal("The terminal remembers no approved payment.");
    return [at, session];
  };
  async function cutPower(forget: boolean): Promise<void> {
    const ending = powered();
    terminal = undefined;
    if (forget) {
      store.forget();
      watch.reset();
    } else watch.change(powerCut);
    cutting = ending.stop();
    await cutting;
  }
  /** Not awaited, because without a network the closing waits for the reports before it. */
  function closeDay(at: PlayedTerminal, lie: Lie | undefined): void {
    const day = dayToClose(store.memory, dayInUtc());
    if (lie !== undefined && countDay(store.memory.movements, day).lastChargeID === undefined)
      throw new Refusal("The terminal has no captured payment on this day, so its totals cannot be wrong.");
    void at.closeDay(day, lie);
  }
  /** Not awaited, because the partner may respond at any time. The response is shown when it arrives as a message. */
  async function ask(at: PlayedTerminal, actionCode: string, description: string): Promise<void> {
    watch.change((screen) => asked(screen, description));
    const sessionID = at.waiting()?.message.sessionID;
    const response = await at.ask({ actionCode, description, ...(sessionID !== undefined && { sessionID }) });
    if (response === "refused") watch.change((screen, moment) => answered(screen, response, moment));
  }

  const actions: {
    readonly [Do in TerminalAction["do"]]: (action: TerminalAction & { do: Do }) => void | Promise<void>;
  } = {
    tap: () => decide({ do: "charge", entryMode: "contactless" }),
    insert: () => decide({ do: "charge", entryMode: "chip" }),
    approveOther({ amount }) {
      if (amount === 0) throw new Refusal("The amount must be above zero.");
      decide({ do: "charge", entryMode: "contactless", amount });
    },
    decline: () => decide({ do: "decline" }),
    cancel: () => decide({ do: "cancel" }),
    secondCard() {
      const [at, session] = charged();
      at.chargeAgain(session);
    },
    answerTwice() {
      const [at, session] = charged();
      at.tellAgain(session);
    },
    pullPlug: ({ forget }) => cutPower(forget),
    async powerOn() {
      if (terminal) throw new Refusal("The terminal already has power.");
      await cutting;
      hasNetwork = true;
      line.find();
      terminal ??= powerOn();
    },
    loseNetwork() {
      powered();
      if (!hasNetwork) throw new Refusal("The terminal already has no network.");
      hasNetwork = false;
      line.lose();
    },
    findNetwork() {
      powered();
      if (hasNetwork) throw new Refusal("The terminal already has its network.");
      hasNetwork = true;
      line.find();
    },
    closeDay: ({ lie }) => closeDay(powered(), lie),
    askPartner({ actionCode, description }) {
      void ask(powered(), actionCode, description);
    },
  };
  return {
    async act(action) {
      const perform = actions[action.do] as (action: TerminalAction) => void | Promise<void>; // each function accepts the action of its own name
      await perform(action);
      changed();
    },
    state() {
      const said = { unsent: store.memory.outbox.length, day: countedDay(store.memory) };
      if (!terminal) return { power: "off", display: { mode: "off", prompt: "" }, ...said };
      const display = watch.display();
      if (hasNetwork) return { power: "on", display, ...said };
      return {
        power: "lost",
        display: display.mode === "idle" ? { mode: "idle", prompt: "No network" } : display,
        ...said,
      };
    },
    stop: async () => {
      await terminal?.stop();
    },
  };
}
