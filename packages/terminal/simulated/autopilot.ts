import { approvedAmount, scriptFor, tipGiven } from "./scripts.ts";
import { emptyMemory, endedDay } from "./memory.ts";
import { decline, type Answer, type Session } from "./session.ts";
import type { TerminalClient } from "./terminal-client.ts";
import { startTerminal, type AtTerminal, type Customer, type TerminalOptions } from "./terminal.ts";

export interface Autopilot extends Pick<AtTerminal, "closeDay"> {
  stop(): Promise<void>;
}

/** How often it checks whether its day has ended, in steps of the terminal's pace. */
const LOOK_STEPS = 10;

/**
 * A terminal that needs no person. The minor digits of an amount select the script that it plays. It closes each business day once that has
 * ended, even if the day ended while the terminal had no power.
 */
export function startAutopilot(client: TerminalClient, options: TerminalOptions): Autopilot {
  const { memory = emptyMemory() } = options;
  const terminal = startTerminal(client, { ...options, memory, customer: scriptedCustomer });
  const { closeDay, pause, stop, today } = terminal;
  void (async () => {
    for (;;) {
      const day = endedDay(memory, today());
      if (day !== undefined) void closeDay(day);
      await pause(LOOK_STEPS);
    }
  })();
  return { closeDay, stop };
}

/** Pays as the amount's script says. */
export const scriptedCustomer: Customer = {
  scriptFor: ({ totalAmountInclVat: total = 0, currency = "" }) => scriptFor(total, currency),
  async pay(session, terminal) {
    const { message, script } = session;
    const allowed = !script.asksFirst || (await mayPay(session, terminal));
    await terminal.pause(script.payAfter ?? 2);
    session.ending = endingOf(session, allowed, terminal);
    terminal.answer(message, ...session.ending);
    await chargeOn(session, terminal);
    if (script.closesDay) void terminal.closeDay(terminal.today());
  },
};

async function mayPay({ message: { sessionID } }: Session, { ask }: AtTerminal): Promise<boolean> {
  const response = await ask({ actionCode: "acceptTerms", description: "May this customer pay?", sessionID });
  return response === "accepted";
}

/** The session's ending after the customer had time to pay. `allowed` is false if the partner rejected the payment. */
function endingOf(session: Session, allowed: boolean, terminal: AtTerminal): Answer {
  const { script, cancelling } = session;
  if (cancelling.signal.aborted && !script.winsRace) return ["cancelled", { detail: script.detail }];
  if (!allowed) return ["declined", { detail: script.detail }];
  if (script.outcome === "authorized") return charge(session, terminal);
  const why = { detail: script.detail, ...script.decline };
  return script.outcome === "declined" ? decline(session, why) : [script.outcome, why];
}

/** Charges cards although the payment has ended, if the script says so. */
async function chargeOn(session: Session, terminal: AtTerminal): Promise<void> {
  const { message, script, charges } = session;
  if (script.chargesTwice && charges.length > 0) terminal.answer(message, ...charge(session, terminal));
  if (script.chargesAfter === undefined) return;
  await terminal.pause(script.chargesAfter);
  terminal.answer(message, ...charge(session, terminal));
}

const charge = (session: Session, terminal: AtTerminal): Answer => {
  const { script, total, currency } = session;
  const amount = approvedAmount(script, total, currency);
  return terminal.charge(session, { amount, tip: tipGiven(script, session), entryMode: "contactless" });
};
