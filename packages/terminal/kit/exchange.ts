/** The operations of the terminals' API. */
export type Operation = "next-message" | "report" | "raise-action-request" | "day-totals";

/** A request as the server reads it. */
export interface Call {
  readonly method: string;
  /** The path and query, without the API's own segment. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts when the caller disconnects. */
  readonly gone: AbortSignal;
}

/** One request of the terminal and its response. */
export interface Exchange {
  /** When it was answered, in milliseconds of a monotonic clock. */
  readonly at: number;
  /** The power-up in which it was sent, from 0. */
  readonly powerUp: number;
  readonly operation: Operation;
  /** The path and query. */
  readonly target: string;
  readonly method: string;
  /** The parsed body. Undefined if there is none, or if it is not JSON. */
  readonly sent: unknown;
  /** Undefined if the connection was cut, so that the terminal got no response. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the platform took it. The status does not show this if the response was lost. */
  readonly isTaken: boolean;
}

/** The exchange as a line of the report: direction, content and outcome. Keys do not appear: they are in headers, which are left out. */
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

/** A voucher's or key's code is worth money, so it is left out. */
const withoutCode = (name: string, value: unknown): unknown => (name === "code" ? "(left out)" : value);
