import { countDay, dayInUtc, dayToClose, type Lie } from "../../terminal/simulated/business-day.ts";
import type { PlayedDevice } from "../../terminal/simulated/device.ts";
import { lineTo } from "../../terminal/simulated/line.ts";
import type { MemoryStore } from "../../terminal/simulated/memory.ts";
import { startPlayedTerminal, type Decision, type PlayedTerminal } from "../../terminal/simulated/played-terminal.ts";
import type { Session } from "../../terminal/simulated/session.ts";
import type { TerminalClient } from "../../terminal/simulated/terminal-client.ts";
import { countedDay } from "./counted-day.ts";
import { answered, asked, cardPresented, powerCut, tipChosen } from "./display.ts";
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
  readonly device: PlayedDevice;
}

/** Starts the terminal with power, network and its stored memory. */
export function startHandPlayed(client: TerminalClient, options: HandPlayedOptions): HandPlayed {
  const { watch, changed, store } = options;
  const machine = startMachine(client, options);
  const actions: Actions = { ...atTheTill(machine, options), ...onTheMachine(machine) };
  return {
    async act(action) {
      const perform = actions[action.do] as (action: TerminalAction) => void | Promise<void>; // each function accepts the action of its own name
      await perform(action);
      changed();
    },
    state() {
      const said = { unsent: store.memory.outbox.length, day: countedDay(store.memory) };
      const power = machine.power();
      if (power === "off") return { power, display: { mode: "off", prompt: "" }, ...said };
      const display = watch.display();
      if (power === "on") return { power, display, ...said };
      return { power, display: display.mode === "idle" ? { mode: "idle", prompt: "No network" } : display, ...said };
    },
    stop: machine.stop,
  };
}

type Actions = {
  readonly [Do in TerminalAction["do"]]: (action: TerminalAction & { do: Do }) => void | Promise<void>;
};

type Machine = ReturnType<typeof startMachine>;

/** The terminal's power and its network. Without power there is no terminal. */
function startMachine(client: TerminalClient, { watch, paceMs, store, device }: HandPlayedOptions) {
  let hasNetwork = true;
  let cutting: Promise<void> | undefined;
  const line = lineTo(client, watch.exchanged);
  const powerOn = (): PlayedTerminal =>
    startPlayedTerminal(line.client, {
      paceMs,
      device,
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
  return {
    /** The terminal, if it has power. Otherwise throws `Refusal`. */
    powered,
    power: () => (terminal ? (hasNetwork ? "on" : "lost") : "off"),
    async cutPower(forget: boolean): Promise<void> {
      const ending = powered();
      terminal = undefined;
      if (forget) {
        store.forget();
        watch.reset();
      } else watch.change(powerCut);
      cutting = ending.stop();
      await cutting;
    },
    async powerOn(): Promise<void> {
      if (terminal) throw new Refusal("The terminal already has power.");
      await cutting;
      hasNetwork = true;
      line.find();
      terminal ??= powerOn();
    },
    loseNetwork(): void {
      powered();
      if (!hasNetwork) throw new Refusal("The terminal already has no network.");
      hasNetwork = false;
      line.lose();
    },
    findNetwork(): void {
      powered();
      if (hasNetwork) throw new Refusal("The terminal already has its network.");
      hasNetwork = true;
      line.find();
    },
    async stop(): Promise<void> {
      await terminal?.stop();
    },
  };
}

/** The plug and the network cable. */
const onTheMachine = (machine: Machine) =>
  ({
    pullPlug: ({ forget }) => machine.cutPower(forget),
    powerOn: machine.powerOn,
    loseNetwork: machine.loseNetwork,
    findNetwork: machine.findNetwork,
  }) satisfies Partial<Actions>;

/** The customer with a card, and the merchant with the till. */
function atTheTill({ powered }: Machine, { watch, store }: HandPlayedOptions) {
  const waiting = (): [PlayedTerminal, Session] => {
    const at = powered();
    const session = at.waiting();
    if (!session) throw new Refusal("There is nothing to pay at this terminal.");
    return [at, session];
  };
  const decide = (decision: Decision) => {
    const [at, session] = waiting();
    at.decide(session, decision);
  };
  const charged = (): [PlayedTerminal, Session] => {
    const at = powered();
    const session = at.charged();
    if (!session) throw new Refusal("The terminal remembers no approved payment.");
    return [at, session];
  };
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

  return {
    tap: () => decide({ do: "charge", entryMode: "contactless" }),
    insert: () => decide({ do: "charge", entryMode: "chip" }),
    tip({ amount }) {
      const [at, session] = waiting();
      if (!at.chooseTip(session, amount))
        throw new Refusal("The terminal asks for no tip, or only for one of at most its maximum.");
      watch.change((screen) => tipChosen(screen, session.message.sessionID ?? "", amount));
    },
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
    closeDay: ({ lie }) => closeDay(powered(), lie),
    askPartner({ actionCode, description }) {
      void ask(powered(), actionCode, description);
    },
  } satisfies Partial<Actions>;
}
