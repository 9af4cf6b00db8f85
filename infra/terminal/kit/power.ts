import type { Movement } from "../simulated/session.ts";

/** The terminal under test, as its maker hands it over. */
export interface TerminalUnderTest {
  /** Connects power. The terminal finds its memory as it left it. */
  powerOn(): Promise<void>;
  /** Cuts the power at once, in the middle of whatever it does. */
  cutPower(): Promise<void>;
  /** Empties the memory of a terminal without power. */
  forget(): Promise<void>;
  /** Has the customer do something, where no amount says it. */
  customer(does: string): void;
  /** Every movement of money that its acquirer has booked; none where its maker does not show them. */
  movements(): Promise<readonly Movement[]>;
  /** Why it ended by itself; undefined while it runs or has no power. */
  crash(): string | undefined;
}
