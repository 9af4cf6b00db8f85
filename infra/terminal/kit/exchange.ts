/** The operations of the terminals' API. */
export type Operation = "next-message" | "report" | "raise-action-request" | "day-totals";

/** One request of the terminal, with what it got. */
export interface Exchange {
  /** Milliseconds of a monotonic clock, when it was answered. */
  readonly at: number;
  /** The power-up in which it was sent, from 0. */
  readonly powerUp: number;
  readonly operation: Operation;
  /** The path and query. */
  readonly target: string;
  readonly method: string;
  /** As it was sent; undefined where it is no JSON or there is none. */
  readonly sent: unknown;
  /** Undefined where the terminal got none: the connection was cut. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the platform took it, which a lost response does not say. */
  readonly isTaken: boolean;
}

/** The exchange as a line of the report: direction, what passed, what came of it. Keys are in headers, which are left out. */
export function lineOf({ operation, sent, status, body, isTaken }: Exchange): string {
  const outcome = status === undefined ? `no response${isTaken ? ", but taken" : ""}` : String(status);
  if (operation === "next-message") return status === 200 ? `-> ${body}` : `   poll: ${outcome}`;
  return `<- ${names[operation]} ${JSON.stringify(sent, withoutCode)}: ${outcome}${status !== undefined && status >= 400 ? ` ${body}` : ""}`;
}

const names: Readonly<Record<Exclude<Operation, "next-message">, string>> = {
  report: "report",
  "raise-action-request": "action request",
  "day-totals": "closing",
};

/** The code of a voucher or key is as good as money. */
const withoutCode = (name: string, value: unknown): unknown => (name === "code" ? "(left out)" : value);
