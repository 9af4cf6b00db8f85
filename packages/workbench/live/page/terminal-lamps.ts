import type { PaymentView } from "../views/payments.ts";
import type { TerminalView } from "../views/terminals.ts";
import { standingOf, wordsOf } from "./words.ts";

/** The payment that holds the terminal. If several could, it is the oldest: the platform rejects the others. */
export const holderOf = (payments: readonly PaymentView[], terminalId: string): PaymentView | undefined =>
  payments.findLast((payment) => payment.terminalId === terminalId && wordsOf(payment.status).frees !== undefined);

type Lamp = "off" | "bad" | "warn" | "busy" | "good";

/** The payment that holds the terminal, and whether the stack responds. */
interface Platform {
  readonly holder: PaymentView | undefined;
  readonly isLive: boolean;
}

/** The terminal's lamp. Green: the terminal is ready, and no payment holds it. */
export function lampOf(terminal: TerminalView, { holder, isLive }: Platform): Lamp {
  if (!isLive) return "off";
  if (terminal.power === "lost") return "bad";
  if (holder) return standingOf(holder).tone === "warn" ? "warn" : "busy";
  if (isOff(terminal)) return "off";
  return isPlaying(terminal) ? "busy" : "good";
}

/** The terminal's own state in words. Empty if it has power and network, and a payment holds it. */
export function standingAt(terminal: TerminalView, holder: PaymentView | undefined): string {
  if (terminal.player === "none") return "not played";
  if (isOff(terminal)) return "switched off";
  if (terminal.power === "lost") return "no network";
  if (holder) return "";
  return isPlaying(terminal) ? "shows a payment" : "ready";
}

const isOff = ({ power, display: { mode } }: TerminalView): boolean => power === "off" || mode === "off";

/** Whether the display shows a payment. The terminal may not know yet that the payment has ended. */
export const isPlaying = ({ display: { mode } }: TerminalView): boolean => mode === "payment" || mode === "working";
