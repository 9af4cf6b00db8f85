import type { TerminalUnderTest } from "./power.ts";

/** A person beside a real device. */
export interface Person {
  /** Shows what to do, and resolves when it is done. */
  does(what: string): Promise<void>;
  /** Shows what to do. */
  say(what: string): void;
}

/** A device in the hands of a person, who is its power and its customer. What it books at an acquirer is not seen. */
export const heldTerminal = ({ does, say }: Person): TerminalUnderTest => ({
  powerOn: () => does("Switch the terminal on, and press Enter."),
  cutPower: () => does("Cut the terminal's power now, and press Enter."),
  forget: () => does("Have the terminal, without power, lose its memory, and press Enter."),
  customer: (does) => say(`Customer: ${does}.`),
  movements: async () => [],
  crash: () => undefined,
});
