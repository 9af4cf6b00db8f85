import { randomUUID } from "node:crypto";
import { cardOf, receiptOf, referencesOf, type References, type SlipCard } from "./evidence.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { minorOf } from "./minor-of.ts";
import type { Script } from "./scripts.ts";
import type { TerminalMessage, TipQuestion } from "./terminal-client.ts";

/** A terminal's report that answers a message. */
export type Answer = readonly [type: string, more?: Record<string, unknown>];

/** A charge of a card, as a terminal must store it. */
export interface CardCharge {
  readonly chargeID: string;
  readonly amount: number;
  /** The part of the amount that is tip. Absent if the terminal does not name one. */
  readonly tip?: number;
  readonly currency: string;
  /** The captured amount. Undefined if nothing was captured. */
  captured: number | undefined;
  /** The sum of its refunds, in minor units. Absent if there is none. */
  refunded?: number;
  isVoided: boolean;
  /**
   * The business days on which the money was captured or voided. Absent if it was not. A later report of the same movement names the same
   * day.
   */
  capturedOn?: string;
  voidedOn?: string;
  /** The number of its failed voids. */
  failedVoids: number;
}

/** A movement of money on a card, as its acquirer books it. */
export interface Movement {
  readonly moved: "charge" | "capture" | "void" | "refund";
  readonly sessionID: string | undefined;
  readonly chargeID: string;
  readonly refundID?: string;
  /** In the currency's major unit. */
  readonly amount: number;
  readonly currency: string;
  /** The terminal's business day, `2026-11-21`, if it names one. */
  readonly businessDay?: string | undefined;
  /** Absent in the book of a terminal that does not know them. */
  readonly card?: SlipCard;
  readonly acquirer?: References;
}

/** Enters simultaneous movements in the terminal's journal. Returns the business day on which they count, which their reports name. */
export type Enter = (...moved: readonly Omit<Movement, "businessDay">[]) => string;

/** The way a card was read. */
export type EntryMode = "contactless" | "chip";

/** The stored state of a session: its ending, its charges and its refunds. */
export interface Session {
  /** The message that requested the payment. */
  readonly message: TerminalMessage;
  readonly script: Script;
  readonly currency: string;
  /** The amount that the card will be charged, without a tip. Discounts lower it. */
  total: number;
  /** The question for a tip. Undefined if the terminal must not ask. A discount replaces it. */
  tip: TipQuestion | undefined;
  /** The tip that the customer chose, in the currency's major unit. A discount ends the choice. */
  chosenTip?: number | undefined;
  /** The session's ending. Every later status query gets the same answer. */
  ending: Answer | undefined;
  /** Aborts when a cancel arrives. */
  readonly cancelling: AbortController;
  readonly charges: CardCharge[];
  /** The result of each refund, by its identifier. */
  readonly refunds: Map<string, Answer>;
}

export function newSession(message: TerminalMessage, script: Script): Session {
  const { totalAmountInclVat: total = 0, currency = "", tip } = message;
  const begun = { ending: undefined, cancelling: new AbortController(), charges: [], refunds: new Map() };
  return { message, script, currency, total, tip, ...begun };
}

/** A card to charge. */
export interface PresentedCard {
  /** In the currency's major unit, without the tip. */
  readonly amount: number;
  /** Charged in addition, and named in the report. If undefined, the report names none. */
  readonly tip?: number | undefined;
  readonly entryMode: EntryMode;
}

/** Charges a card, and captures the charge if the payment is captured automatically. Returns its report. */
export function approval(session: Session, { entryMode, tip, ...sale }: PresentedCard, enter: Enter): Answer {
  const { charges, currency, message } = session;
  const chargeID = randomUUID();
  const amount = fromMinorUnits(minorOf(sale.amount, currency) + minorOf(tip ?? 0, currency), currency);
  const tipPart = tip === undefined ? {} : { tip };
  charges.push({ chargeID, amount, ...tipPart, currency, captured: undefined, isVoided: false, failedVoids: 0 });
  const card = cardOf(charges, chargeID);
  const acquirer = referencesOf({ moved: "charge", chargeID });
  const money = { sessionID: message.sessionID, chargeID, amount, currency, card, acquirer };
  const moved = message.captureMode === "automatic" ? (["charge", "capture"] as const) : (["charge"] as const);
  const businessDay = enter(...moved.map((one) => ({ moved: one, ...money })));
  const report = {
    chargeID,
    amount,
    ...(tip !== undefined && { tipAmount: tip }),
    currency,
    businessDay,
    card: { ...card, entryMode },
    acquirer,
    receipt: receiptOf("Sale", message, { amount, ...tipPart, currency, card, acquirer }),
  };
  return ["authorized", report];
}

/** The report of a card that was declined, with its receipt. */
export function decline(session: Session, why: Readonly<Record<string, unknown>>): Answer {
  const { message, charges, total: amount, currency } = session;
  return ["declined", { ...why, receipt: receiptOf("Declined", message, { amount, currency, card: cardOf(charges) }) }];
}
