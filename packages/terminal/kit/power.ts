import type { Movement } from "../simulated/session.ts";

/** The terminal under test, as its maker provides it. */
export interface TerminalUnderTest {
  /** Connects the power. The terminal finds its memory unchanged. */
  powerOn(): Promise<void>;
  /** Cuts the power at once, whatever the terminal is doing. */
  cutPower(): Promise<void>;
  /** Empties the memory of a terminal without power. */
  forget(): Promise<void>;
  /** Asks the customer to act, if the amount alone does not select the behaviour. */
  customer(does: string): void;
  /** Every movement of money that its acquirer has booked. Empty if its maker does not show them. */
  movements(): Promise<readonly Movement[]>;
  /** The reason why it ended by itself. Undefined while it runs or has no power. */
  crash(): string | undefined;
}
