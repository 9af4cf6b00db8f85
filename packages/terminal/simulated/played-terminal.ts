import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { minorOf } from "./minor-of.ts";
import { approved } from "./scripts.ts";
import { decline, type Answer, type EntryMode, type PresentedCard, type Session } from "./session.ts";
import type { TerminalClient } from "./terminal-client.ts";
import { startTerminal, type AtTerminal, type Customer, type TerminalOptions } from "./terminal.ts";
import { emptyMemory } from "./memory.ts";

/** A person's decision on the payment that waits at the terminal. */
export type Decision =
  | {
      readonly do: "charge";
      readonly entryMode: EntryMode;
      /** Minor units. Default: the requested amount and the chosen tip. */
      readonly amount?: number | undefined;
    }
  | { readonly do: "decline" }
  | { readonly do: "cancel" };

/** A terminal that a person operates, with power. */
export interface PlayedTerminal extends Pick<AtTerminal, "ask" | "closeDay"> {
  /** The newest payment that waits for a card. */
  waiting(): Session | undefined;
  /** The newest payment for which a card was charged. */
  charged(): Session | undefined;
  /**
   * Decides the payment. A card takes some time, and is charged even if a cancel arrives meanwhile. Does nothing if the payment no longer
   * waits.
   */
  decide(session: Session, decision: Decision): void;
  /** The customer chooses a tip, in minor units. Returns false if the terminal must not ask, or if the tip is above the maximum. */
  chooseTip(session: Session, tip: number): boolean;
  /** Charges another card for a payment. */
  chargeAgain(session: Session): void;
  /** Reports the payment's approval again, under a new `reportID`. */
  tellAgain(session: Session): void;
  /** Cuts the power. */
  stop(): Promise<void>;
}

interface PlayedOptions extends TerminalOptions {
  /** Called when a card is presented, before it is charged. */
  readonly presented: (session: Session, entryMode: EntryMode) => void;
}

/** How long a card takes, in steps of the terminal's pace. */
const CARD_STEPS: Readonly<Record<EntryMode, number>> = { contactless: 8, chip: 20 };

/** A terminal that waits for a person's decision on each payment. It has all duties of `startTerminal`. */
export function startPlayedTerminal(client: TerminalClient, options: PlayedOptions): PlayedTerminal {
  const { memory = emptyMemory(), presented } = options;
  const waiting = new Map<Session, (decision: Decision) => void>();
  const person: Customer = {
    scriptFor: () => approved,
    async pay(session, terminal) {
      const decision = await new Promise<Decision>((resolve) => {
        waiting.set(session, resolve);
        session.cancelling.signal.addEventListener("abort", () => resolve({ do: "cancel" }), { once: true });
      });
      waiting.delete(session);
      if (decision.do === "charge") {
        presented(session, decision.entryMode);
        await terminal.pause(CARD_STEPS[decision.entryMode]);
      }
      session.ending = endingBy(session, decision, terminal);
      terminal.answer(session.message, ...session.ending);
    },
  };
  const { answer, charge, ask, closeDay, stop } = startTerminal(client, { ...options, memory, customer: person });
  return {
    waiting: () => [...waiting.keys()].at(-1),
    charged: () => [...memory.sessions.values()].findLast(({ charges }) => charges.length > 0),
    decide(session, decision) {
      waiting.get(session)?.(decision);
      waiting.delete(session);
    },
    chooseTip(session, tip) {
      const { currency, tip: asked } = session;
      if (!asked || tip > minorOf(asked.maximum, currency)) return false;
      session.chosenTip = fromMinorUnits(tip, currency);
      return true;
    },
    chargeAgain: (session) => answer(session.message, ...charge(session, payingCard(session, "contactless"))),
    tellAgain({ message, ending }) {
      if (ending) answer(message, ...ending);
    },
    ask,
    closeDay,
    stop,
  };
}

function endingBy(session: Session, decision: Decision, terminal: AtTerminal): Answer {
  if (decision.do === "decline")
    return decline(session, { detail: "the card's bank refused", declineCode: "doNotHonour", hostCode: "05" });
  if (decision.do === "cancel") {
    const detail = session.cancelling.signal.aborted ? "cancelled by the shop" : "cancelled by the customer";
    return ["cancelled", { detail }];
  }
  const { amount: other, entryMode } = decision;
  if (other === undefined) return terminal.charge(session, payingCard(session, entryMode));
  return terminal.charge(session, { amount: fromMinorUnits(other, session.currency), entryMode });
}

/** A card that pays what was requested, with the chosen tip if the terminal asks for one. */
const payingCard = ({ total: amount, tip, chosenTip = 0 }: Session, entryMode: EntryMode): PresentedCard => ({
  amount,
  tip: tip && chosenTip,
  entryMode,
});
