import type { JournalLine, TerminalAction, TerminalView } from "../views/terminals.ts";

/** The actions of a person at a terminal. */
export type ActionName = TerminalAction["do"];

const hasPower = ({ power }: TerminalView) => power !== "off";
const isConnected = ({ power }: TerminalView) => power === "on";
const waitsForCard = (terminal: TerminalView) => hasPower(terminal) && terminal.display.mode === "payment";
const reported = (...types: readonly string[]) => {
  const isIt = ({ direction, type }: JournalLine) => direction === "out" && types.includes(type);
  return (terminal: TerminalView) => hasPower(terminal) && terminal.journal.some(isIt);
};
const takesQuestions = (terminal: TerminalView) =>
  isConnected(terminal) && !["working", "question"].includes(terminal.display.mode);

const rules: Readonly<Record<ActionName, (terminal: TerminalView) => boolean>> = {
  tap: waitsForCard,
  insert: waitsForCard,
  decline: waitsForCard,
  cancel: waitsForCard,
  approveOther: waitsForCard,
  secondCard: reported("authorized"),
  answerTwice: reported("authorized", "captured", "voided", "refunded"),
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
