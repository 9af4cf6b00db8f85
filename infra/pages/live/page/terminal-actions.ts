import type { PaymentView } from "../views/payments.ts";
import type { JournalLine, TerminalAction, TerminalView } from "../views/terminals.ts";
import { isPlaying } from "./terminal-lamps.ts";

/** The actions of a person at a terminal. */
export type ActionName = TerminalAction["do"];

const hasPower = ({ power }: TerminalView) => power !== "off";
const isConnected = ({ power }: TerminalView) => power === "on";
const waitsForCard = (terminal: TerminalView) => hasPower(terminal) && terminal.display.mode === "payment";
const isReport =
  (...types: readonly string[]) =>
  ({ direction, type }: JournalLine) =>
    direction === "out" && types.includes(type);
const isApproval = isReport("authorized");
const reported = (isIt: (line: JournalLine) => boolean) => (terminal: TerminalView) =>
  hasPower(terminal) && terminal.journal.some(isIt);
const hasApproved = reported(isApproval);
const takesQuestions = (terminal: TerminalView) =>
  isConnected(terminal) && !["working", "question"].includes(terminal.display.mode);

const rules: Readonly<Record<ActionName, (terminal: TerminalView) => boolean>> = {
  tap: waitsForCard,
  insert: waitsForCard,
  decline: waitsForCard,
  cancel: waitsForCard,
  approveOther: waitsForCard,
  secondCard: (terminal) => hasApproved(terminal) && !isPlaying(terminal), // it would pay for an earlier payment
  answerTwice: reported(isReport("authorized", "captured", "voided", "refunded")),
  pullPlug: hasPower,
  powerOn: (terminal) => !hasPower(terminal),
  loseNetwork: isConnected,
  findNetwork: ({ power }) => power === "lost",
  askPartner: takesQuestions,
  closeDay: hasPower,
};

/** Whether this action makes sense at the terminal now. A terminal without a network can still take payments, and reports them later. */
export const canDo = (terminal: TerminalView, action: ActionName): boolean =>
  terminal.player === "person" && rules[action](terminal);

/**
 * The terminal's last approved payment, for which a second card is charged. Undefined if it is not known: reports that wait may approve
 * another.
 */
export function approvedAt(
  { id, unsent, journal }: TerminalView,
  payments: readonly PaymentView[],
): PaymentView | undefined {
  if (unsent > 0) return undefined;
  const approved = new Set(journal.filter(isApproval).map(({ sessionId }) => sessionId?.toLowerCase()));
  return payments.find(({ terminalId, sessionId }) => terminalId === id && approved.has(sessionId));
}
