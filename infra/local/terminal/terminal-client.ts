import { setTimeout as sleep } from "node:timers/promises";

/** A message as the platform hands it to a terminal. */
export interface TerminalMessage {
  readonly messageID: string;
  readonly sessionID?: string;
  readonly sequence: number;
  readonly expiresInMs: number;
  readonly type: string;
  readonly totalAmountInclVat?: number;
  readonly amount?: number;
  readonly currency?: string;
  readonly captureMode?: string;
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
  readonly [field: string]: unknown;
}

/** A report on its way, and the trace of the message that it answers. */
export type Outgoing = readonly [report: TerminalReport, traceparent: string | undefined];

export interface TerminalClient {
  /** The next message, or undefined when none came in time. `received` names the last message that arrived. */
  next(
    waitSeconds: number,
    options?: { readonly received?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<TerminalMessage | undefined>;
  /** One attempt, in the trace of the message that it answers; the answer's status tells whether it was taken. */
  report(report: TerminalReport, traceparent?: string): Promise<number>;
  /** Asks the partner something; one attempt, and its answer's status. */
  raiseActionRequest(ask: { readonly actionRequestID: string; readonly [field: string]: unknown }): Promise<number>;
}

/** The longest wait for a message that the platform takes. */
export const LONGEST_WAIT_SECONDS = 55;
/** A poll that is not answered so long after its wait is given up. */
const SLACK_SECONDS = 15;

/** The terminal API as a terminal speaks it: a plain HTTP client that knows its key and nothing else of the platform. */
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
    async next(waitSeconds, { received, signal = AbortSignal.timeout((waitSeconds + SLACK_SECONDS) * 1_000) } = {}) {
      const query = new URLSearchParams({ wait: String(waitSeconds), ...(received !== undefined && { received }) });
      const response = await fetch(`${options.terminalsUrl}/next-message?${query.toString()}`, { headers, signal });
      if (response.status === 204) return undefined;
      if (response.status !== 200)
        throw new Error(`next-message answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as TerminalMessage;
    },
    report: (report, traceparent) => post("report", report, traceparent),
    raiseActionRequest: (ask) => post("raise-action-request", ask),
  };
}

/** Whether a report was taken, or refused for good; otherwise it is to be sent again. */
export const isAnswered = (status: number): boolean => status < 500 && status !== 429;

/**
 * Reports in order, each until it is answered: what a terminal knows must not be lost on the way. What waits already goes first, and
 * nothing goes before `ready`.
 */
export function reportOutbox(
  client: TerminalClient,
  {
    waiting,
    ready,
    signal,
  }: { readonly waiting: Outgoing[]; readonly ready: Promise<void>; readonly signal: AbortSignal },
): (report: TerminalReport, traceparent?: string) => void {
  let sending = false;
  const flush = async () => {
    sending = true;
    await ready;
    for (let pause = 100; waiting[0] && !signal.aborted;) {
      const status = await client.report(...waiting[0]).catch(() => 503);
      if (signal.aborted) return; // what waits is no longer this one's to forget
      if (isAnswered(status)) {
        waiting.shift();
        pause = 100;
      } else {
        await sleep(pause);
        pause = Math.min(2_000, pause * 2);
      }
    }
    sending = false;
  };
  if (waiting.length > 0) void flush();
  return (report, traceparent) => {
    waiting.push([report, traceparent]);
    if (!sending) void flush();
  };
}
