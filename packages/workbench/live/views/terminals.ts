import type { CountedDay } from "./days.ts";

/** A terminal of the demo, as seen by a person in front of it. */
export interface TerminalView {
  /** Its pointOfServiceID. */
  readonly id: string;
  readonly name: string;
  /** `person`: a person plays it on the page. `autopilot`: it plays by itself. `none`: it is not played here. */
  readonly player: "person" | "autopilot" | "none";
  /** `lost`: it has power, but no network. */
  readonly power: "on" | "off" | "lost";
  /** The content of its display. */
  readonly display: DisplayView;
  /** The number of reports that wait to be sent. */
  readonly unsent: number;
  /** The business day that it closes next, with its own totals. Absent if the terminal is not played here. */
  readonly day?: CountedDay;
  /** Its last exchanges with the platform, at most 20, the newest first. */
  readonly journal: readonly JournalLine[];
}

export interface DisplayView {
  readonly mode: "off" | "idle" | "payment" | "working" | "approved" | "declined" | "cancelled" | "failed" | "question";
  /** One line for the customer, such as "Present card". */
  readonly prompt: string;
  readonly sessionId?: string;
  readonly merchantName?: string;
  readonly amount?: number;
  readonly vat?: number;
  /** Already deducted from `amount`. */
  readonly discount?: number;
  readonly currency?: string;
  /** When the terminal stops offering the payment. */
  readonly expiresAt?: number;
  /** Absent if the terminal does not ask for a tip. */
  readonly tip?: TipView;
}

/** The terminal's question for a tip. */
export interface TipView {
  readonly percents: readonly number[];
  readonly amounts: readonly number[];
  /** The customer may also enter an amount. */
  readonly custom: boolean;
  /** The most that the customer may add. */
  readonly maximum: number;
  /** Charged in addition to the display's amount. Absent until the customer has chosen. */
  readonly chosen?: number;
}

export interface JournalLine {
  readonly at: number;
  readonly direction: "in" | "out";
  /** The message's or report's type. */
  readonly type: string;
  readonly sessionId?: string;
  /** The status of the platform's response to what the terminal sent. */
  readonly status?: number;
}

/** An action of a person at a terminal: the body of `POST /terminals/<id>`. */
export type TerminalAction =
  | { readonly do: "tap" | "insert" | "decline" | "cancel" }
  /** Chooses a tip, which the next card pays. */
  | { readonly do: "tip"; readonly amount: number }
  /** Approves this amount instead of the requested one. */
  | { readonly do: "approveOther"; readonly amount: number }
  /** Charges a second card for the last approved payment. */
  | { readonly do: "secondCard" }
  /** Reports its last approval again, under a new reportID. */
  | { readonly do: "answerTwice" }
  | { readonly do: "pullPlug"; readonly forget: boolean }
  | { readonly do: "powerOn" | "loseNetwork" | "findNetwork" }
  /** Closes the terminal's business day, correctly or with a lie about its captured payments. */
  | { readonly do: "closeDay"; readonly lie?: "leavesOneOut" | "countsOneTwice" | undefined }
  | { readonly do: "askPartner"; readonly actionCode: string; readonly description: string };
