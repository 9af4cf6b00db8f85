/** The question for a tip, with its choices. Amounts are in the currency's major unit. */
export interface TipQuestion {
  readonly percents: readonly number[];
  readonly amounts: readonly number[];
  /** The customer may also enter an amount. */
  readonly custom: boolean;
  /** The most that the customer may add. */
  readonly maximum: number;
}

/** A message as the platform delivers it to a terminal. */
export interface TerminalMessage {
  readonly messageID: string;
  readonly sessionID?: string;
  readonly sequence: number;
  readonly expiresInMs: number;
  readonly type: string;
  readonly totalAmountInclVat?: number;
  readonly totalVatAmount?: number;
  readonly merchantName?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly captureMode?: string;
  /** A discount's question counts once it is applied. If absent, the terminal must not ask. */
  readonly tip?: TipQuestion;
  readonly chargeID?: string;
  readonly refundID?: string;
  readonly discountID?: string;
  readonly actionRequestID?: string;
  readonly responseCode?: string;
  readonly traceparent?: string;
}

export interface TerminalReport {
  readonly reportID: string;
  readonly type: string;
  readonly sessionID?: string | undefined;
  readonly messageID?: string | undefined;
  readonly chargeID?: string;
  readonly refundID?: string;
  readonly amount?: number;
  readonly businessDay?: string | undefined;
  readonly [field: string]: unknown;
}

export interface PollOptions {
  /** The last message that arrived. */
  readonly received?: string | undefined;
  /** The charge of the terminal's battery as a whole percent. */
  readonly battery?: number | undefined;
  readonly signal?: AbortSignal;
}

export interface TerminalClient {
  /** The next message, or undefined if none arrived in time. */
  next(waitSeconds: number, options?: PollOptions): Promise<TerminalMessage | undefined>;
  /** Sends a report once, in the trace of the message that it answers. The response's status shows whether the report was accepted. */
  report(report: TerminalReport, traceparent?: string): Promise<number>;
  /** Raises an action request to the partner. Tries once. Returns the response's status. */
  raiseActionRequest(ask: { readonly actionRequestID: string; readonly [field: string]: unknown }): Promise<number>;
  /** Closes a business day. Tries once. Returns the response's status. */
  closeDay(closing: DayClosing): Promise<number>;
}

/** A terminal's totals of one currency, in the currency's major unit. */
export interface MajorTotals {
  readonly currency: string;
  readonly captures: number;
  readonly captured: number;
  readonly refunds: number;
  readonly refunded: number;
  readonly reversals: number;
  readonly reversed: number;
}

/** A terminal's closing of its business day. */
export interface DayClosing {
  readonly closingID: string;
  /** `2026-11-21`. */
  readonly businessDay: string;
  readonly totals: readonly MajorTotals[];
  readonly lastChargeID?: string | undefined;
}

/** The longest wait for a message that the platform accepts. */
export const LONGEST_WAIT_SECONDS = 55;
/** The extra time after its wait that a poll may take before the client gives up. */
const SLACK_SECONDS = 15;

/** The terminals' API as a terminal uses it: a plain HTTP client that has only its key. */
export function terminalClient(options: {
  readonly terminalsUrl: string;
  readonly terminalKey: string;
}): TerminalClient {
  const headers = { "x-terminal-key": options.terminalKey };
  const post = async (path: string, body: unknown, traceparent?: string): Promise<number> => {
    const response = await fetch(`${options.terminalsUrl}/${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", ...(traceparent !== undefined && { traceparent }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  };
  return {
    async next(
      waitSeconds,
      { received, battery, signal = AbortSignal.timeout((waitSeconds + SLACK_SECONDS) * 1_000) } = {},
    ) {
      const query = new URLSearchParams({
        wait: String(waitSeconds),
        ...(received !== undefined && { received }),
        ...(battery !== undefined && { battery: String(battery) }),
      });
      const response = await fetch(`${options.terminalsUrl}/next-message?${query.toString()}`, { headers, signal });
      if (response.status === 204) return undefined;
      if (response.status !== 200)
        throw new Error(`next-message answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as TerminalMessage;
    },
    report: (report, traceparent) => post("report", report, traceparent),
    raiseActionRequest: (ask) => post("raise-action-request", ask),
    closeDay: (closing) => post("day-totals", closing),
  };
}

/** A client that saves the terminal's memory before it sends anything. */
export const savingFirst = (client: TerminalClient, save: () => void): TerminalClient => ({
  async next(...given) {
    save();
    return client.next(...given);
  },
  async report(...given) {
    save();
    return client.report(...given);
  },
  async raiseActionRequest(...given) {
    save();
    return client.raiseActionRequest(...given);
  },
  async closeDay(...given) {
    save();
    return client.closeDay(...given);
  },
});

/**
 * A client that says in each sending of an approval how long ago the card was charged, if that is known.
 *
 * @param chargedAt the times of the charges since the last power-up, by `chargeID`, of the monotonic clock
 */
export const tellingAge = (client: TerminalClient, chargedAt: ReadonlyMap<string, number>): TerminalClient => ({
  ...client,
  report(report, traceparent) {
    const at = report.type === "authorized" ? chargedAt.get(report.chargeID ?? "") : undefined;
    const aged = at === undefined ? report : { ...report, agoMs: Math.round(performance.now() - at) };
    return client.report(aged, traceparent);
  },
});

/**
 * Statuses below 500 that say nothing about the report itself: the key was rejected, the request timed out, or there were too many
 * requests.
 */
const notOfTheReport: ReadonlySet<number> = new Set([401, 408, 429]);

/** Whether a report was accepted or permanently rejected. Otherwise it must be sent again. */
export const isAnswered = (status: number): boolean => status < 500 && !notOfTheReport.has(status);
