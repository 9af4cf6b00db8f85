import { startAutopilot } from "../../packages/terminal/simulated/autopilot.ts";
import { emptyMemory } from "../../packages/terminal/simulated/memory.ts";
import {
  terminalClient,
  type TerminalClient,
  type TerminalMessage,
} from "../../packages/terminal/simulated/terminal-client.ts";
import { actionOf, type TerminalAction } from "../chaos/terminal.ts";

/**
 * An autopilot whose line can be held. A message or a report of a held type waits until `letGo`. A held `poll` fetches nothing. Polls are
 * short, so that one is held soon.
 */
export interface HeldTerminal {
  /** Its actions on cards, in order. */
  readonly actions: readonly TerminalAction[];
  /** The messages that reached it, in order. */
  readonly got: readonly TerminalMessage[];
  hold(...types: readonly string[]): void;
  /** The types of the messages and reports that are waiting now. */
  held(): readonly string[];
  letGo(): void;
  stop(): Promise<void>;
}

export function startHeldTerminal(options: {
  readonly terminalsUrl: string;
  readonly terminalKey: string;
}): HeldTerminal {
  const client = terminalClient(options);
  const actions: TerminalAction[] = [];
  const got: TerminalMessage[] = [];
  let held: ReadonlySet<string> = new Set();
  let released = Promise.withResolvers<void>();
  const waiting = new Set<string>();
  const passed = async (type: string): Promise<void> => {
    if (!held.has(type)) return;
    waiting.add(type);
    await released.promise;
  };
  const line: TerminalClient = {
    ...client,
    async next(_, options) {
      await passed("poll");
      const message = await client.next(1, options);
      if (!message) return undefined;
      await passed(message.type);
      got.push(message);
      return message;
    },
    async report(...given) {
      await passed(given[0].type);
      return client.report(...given);
    },
  };
  const letGo = () => {
    held = new Set();
    waiting.clear();
    released.resolve();
  };
  const autopilot = startAutopilot(line, {
    paceMs: 20,
    memory: emptyMemory(),
    journal: (message, report) => void actions.push(actionOf(message, report)),
  });
  return {
    actions,
    got,
    hold(...types) {
      held = new Set(types);
      released = Promise.withResolvers();
    },
    held: () => [...waiting],
    letGo,
    async stop() {
      letGo();
      await autopilot.stop();
    },
  };
}
