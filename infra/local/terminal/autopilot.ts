import { approvedAmount, scriptFor } from "./scripts.ts";
import { approval, type Answer, type Session } from "./session.ts";
import type { TerminalClient } from "./terminal-client.ts";
import { startTerminal, type AtTerminal, type Customer, type TerminalOptions } from "./terminal.ts";

/** A terminal that needs no person: it plays the script that an amount's minor digits select. */
export const startAutopilot = (client: TerminalClient, options: TerminalOptions): { stop(): Promise<void> } =>
  startTerminal(client, { ...options, customer: scriptedCustomer });

/** Pays as the script of the amount says. */
export const scriptedCustomer: Customer = {
  scriptFor: ({ totalAmountInclVat: total = 0, currency = "" }) => scriptFor(total, currency),
  async pay(session, terminal) {
    const { message, script } = session;
    const allowed = !script.asksFirst || (await mayPay(session, terminal));
    await terminal.pause(script.payAfter ?? 2);
    session.ending = endingOf(session, allowed);
    terminal.tell(message, ...session.ending);
    await chargeOn(session, terminal);
  },
};

async function mayPay({ message: { sessionID } }: Session, { ask }: AtTerminal): Promise<boolean> {
  const response = await ask({ actionCode: "acceptTerms", description: "May this customer pay?", sessionID });
  return response === "accepted";
}

/** The session's ending after the customer had time to pay; `allowed` is false where the partner refused the payment. */
function endingOf(session: Session, allowed: boolean): Answer {
  const { script, cancelling } = session;
  if (cancelling.signal.aborted && !script.winsRace) return ["cancelled", { detail: script.detail }];
  const result = allowed ? script.outcome : "declined";
  return result === "authorized" ? charge(session) : [result, { detail: script.detail }];
}

/** Charges cards although the payment has ended, where the script says so. */
async function chargeOn(session: Session, { tell, pause }: AtTerminal): Promise<void> {
  const { message, script, charges } = session;
  if (script.chargesTwice && charges.length > 0) tell(message, ...charge(session));
  if (script.chargesAfter === undefined) return;
  await pause(script.chargesAfter);
  tell(message, ...charge(session));
}

const charge = (session: Session): Answer => {
  const { script, total, currency } = session;
  return approval(session, { amount: approvedAmount(script, total, currency), entryMode: "contactless" });
};
