import type { TerminalClient } from "./terminal-client.ts";

/** A message, report or question between a terminal and the platform. */
export interface Exchange {
  readonly direction: "in" | "out";
  /** The message's or report's type, `actionRequest` for a question, or `dayTotals` for totals. */
  readonly type: string;
  readonly sessionID: string | undefined;
  /** The status of the response to what the terminal sent. */
  readonly status: number | undefined;
}

/** A terminal's connection to the platform, which can fail. */
export interface Line {
  readonly client: TerminalClient;
  /** From now on nothing passes, and calls in progress get no response. */
  lose(): void;
  find(): void;
}

const noNetwork = () => new Error("The terminal has no network.");

/**
 * Puts a line between a terminal and its client. `onExchange` receives each message that arrives, and each report, question or closing with its
 * response.
 */
export function lineTo(client: TerminalClient, onExchange: (exchange: Exchange) => void): Line {
  let losing = new AbortController();
  const passed = async <Response>(call: () => Promise<Response>): Promise<Response> => {
    const { signal } = losing;
    if (signal.aborted) throw noNetwork();
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const end = () => reject(noNetwork());
    signal.addEventListener("abort", end);
    try {
      return await Promise.race([call(), lost]);
    } finally {
      signal.removeEventListener("abort", end); // a terminal polls for days
    }
  };
  const sent = async (type: string, sessionID: unknown, call: () => Promise<number>): Promise<number> => {
    const status = await passed(call);
    onExchange({ direction: "out", type, sessionID: typeof sessionID === "string" ? sessionID : undefined, status });
    return status;
  };
  return {
    client: {
      async next(waitSeconds, options) {
        const signals = [losing.signal, ...(options?.signal ? [options.signal] : [])];
        const ended = AbortSignal.any(signals);
        const message = await passed(() => client.next(waitSeconds, { ...options, signal: ended }));
        if (message)
          onExchange({ direction: "in", type: message.type, sessionID: message.sessionID, status: undefined });
        return message;
      },
      report: (report, traceparent) => sent(report.type, report.sessionID, () => client.report(report, traceparent)),
      raiseActionRequest: (ask) => sent("actionRequest", ask["sessionID"], () => client.raiseActionRequest(ask)),
      closeDay: (closing) => sent("dayTotals", undefined, () => client.closeDay(closing)),
    },
    lose: () => losing.abort(),
    find() {
      if (losing.signal.aborted) losing = new AbortController();
    },
  };
}
