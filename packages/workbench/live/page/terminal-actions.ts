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
const isMoney = isReport("authorized", "captured", "voided", "refunded");
const hasApproved = ({ journal }: TerminalView, { sessionId }: PaymentView) =>
  journal.some((line) => isApproval(line) && line.sessionId?.toLowerCase() === sessionId);
const takesQuestions = (terminal: TerminalView) =>
  isConnected(terminal) && !["working", "question"].includes(terminal.display.mode);

const rules: Readonly<Record<ActionName, (terminal: TerminalView, newest?: PaymentView) => boolean>> = {
  tap: waitsForCard,
  insert: waitsForCard,
  decline: waitsForCard,
  cancel: waitsForCard,
  approveOther: waitsForCard,
  tip: (terminal) => waitsForCard(terminal) && terminal.display.tip !== undefined,
  // otherwise the card would be charged for an earlier payment
  secondCard: (terminal, newest) =>
    hasPower(terminal) && !isPlaying(terminal) && newest !== undefined && hasApproved(terminal, newest),
  answerTwice: (terminal) => hasPower(terminal) && terminal.journal.some(isMoney),
  pullPlug: hasPower,
  powerOn: (terminal) => !hasPower(terminal),
  loseNetwork: isConnected,
  findNetwork: ({ power }) => power === "lost",
  askPartner: takesQuestions,
  closeDay: hasPower,
};

/**
 * Whether this action makes sense at the terminal now. A terminal without a network can still take payments, and reports them later.
 *
 * @param newest the terminal's newest payment
 */
export const canDo = (terminal: TerminalView, action: ActionName, newest?: PaymentView): boolean =>
  terminal.player === "person" && rules[action](terminal, newest);
