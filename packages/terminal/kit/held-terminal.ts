import type { TerminalUnderTest } from "./power.ts";

/** A person who operates a real device. */
export interface Person {
  /** Shows an instruction, and resolves when the person has followed it. */
  does(what: string): Promise<void>;
  /** Shows an instruction. */
  say(what: string): void;
}

/** A device that a person operates: the person switches its power and acts as its customer. The kit cannot see its acquirer's bookings. */
export const heldTerminal = ({ does, say }: Person): TerminalUnderTest => ({
  powerOn: () => does("Switch the terminal on, and press Enter."),
  cutPower: () => does("Cut the terminal's power now, and press Enter."),
  forget: () => does("Clear the memory of the terminal while it has no power, and press Enter."),
  customer: (does) => say(`Customer: ${does}.`),
  movements: async () => [],
  crash: () => undefined,
});
