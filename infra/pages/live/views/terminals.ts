import type { CountedDay } from "./days.ts";

/** A terminal of the demo, as a person in front of it sees it. */
export interface TerminalView {
  /** Its pointOfServiceID. */
  readonly id: string;
  readonly name: string;
  /** `person`: played on the page; `autopilot`: plays by itself; `none`: nothing plays it here. */
  readonly player: "person" | "autopilot" | "none";
  /** `lost`: it has power and no network. */
  readonly power: "on" | "off" | "lost";
  /** What its display shows. */
  readonly display: DisplayView;
  /** Reports that wait to be sent. */
  readonly unsent: number;
  /** The business day that it closes next, as it has counted it; of a terminal that is played here. */
  readonly day?: CountedDay;
  /** Its last exchanges with the platform, the newest first: at most 20. */
  readonly journal: readonly JournalLine[];
}

export interface DisplayView {
  readonly mode: "off" | "idle" | "payment" | "working" | "approved" | "declined" | "cancelled" | "failed" | "question";
  /** One line for the customer: "Present card", for instance. */
  readonly prompt: string;
  readonly sessionId?: string;
  readonly merchantName?: string;
  readonly amount?: number;
  readonly vat?: number;
  /** Already taken off `amount`. */
  readonly discount?: number;
  readonly currency?: string;
  /** When the payment's offer ends at this terminal. */
  readonly expiresAt?: number;
}

export interface JournalLine {
  readonly at: number;
  readonly direction: "in" | "out";
  /** The message's or report's type. */
  readonly type: string;
  readonly sessionId?: string;
  /** The status of the platform's response, of what was sent. */
  readonly status?: number;
}

/** What a person does at a terminal: the body of `POST /terminals/<id>`. */
export type TerminalDeed =
  | { readonly do: "tap" | "insert" | "decline" | "cancel" }
  /** Approves this amount in place of the requested one. */
  | { readonly do: "approveOther"; readonly amount: number }
  /** Charges a second card for the payment that was approved last. */
  | { readonly do: "secondCard" }
  /** Reports its last approval again, under a new reportID. */
  | { readonly do: "answerTwice" }
  | { readonly do: "pullPlug"; readonly forget: boolean }
  | { readonly do: "powerOn" | "loseNetwork" | "findNetwork" }
  /** Closes the terminal's business day: truly, or with a lie about its captured payments. */
  | { readonly do: "closeDay"; readonly lie?: "leavesOneOut" | "countsOneTwice" | undefined }
  | { readonly do: "askPartner"; readonly actionCode: string; readonly description: string };
