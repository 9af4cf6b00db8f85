import { setTimeout as sleep } from "node:timers/promises";
import type { Backoff } from "./backoff.ts";
import { isAnswered, type DayClosing, type TerminalClient, type TerminalReport } from "./terminal-client.ts";

/** An unsent report with the trace of the message that it answers, or an unsent closing of a day. */
export type Outgoing =
  | { readonly report: TerminalReport; readonly traceparent: string | undefined }
  | { readonly closing: DayClosing };

/**
 * Sends reports and closings in order, and retries each until it gets a final response. So none is lost, and a day's closing follows the
 * reports that it counts. Entries that already wait go first. Nothing is sent before `ready`. Each call resolves with the final status, but
 * never after a power cut.
 */
export function startOutbox(
  client: TerminalClient,
  {
    waiting,
    ready,
    backoff,
    signal,
  }: {
    readonly waiting: Outgoing[];
    readonly ready: Promise<void>;
    readonly backoff: Backoff;
    readonly signal: AbortSignal;
  },
): (outgoing: Outgoing) => Promise<number> {
  const answered = new Map<Outgoing, (status: number) => void>();
  let sending = false;
  const attempt = (outgoing: Outgoing): Promise<number> =>
    "closing" in outgoing ? client.closeDay(outgoing.closing) : client.report(outgoing.report, outgoing.traceparent);
  const flush = async () => {
    sending = true;
    await ready;
    while (waiting[0] && !signal.aborted) {
      const [first] = waiting;
      const status = await attempt(first).catch(() => 503);
      if (signal.aborted) return; // the next start sends what waits
      if (isAnswered(status)) {
        waiting.shift();
        answered.get(first)?.(status);
        answered.delete(first);
        backoff.reset();
      } else {
        await sleep(backoff.next());
      }
    }
    sending = false;
  };
  if (waiting.length > 0) void flush();
  return (outgoing) => {
    waiting.push(outgoing);
    const status = new Promise<number>((resolve) => answered.set(outgoing, resolve));
    if (!sending) void flush();
    return status;
  };
}
