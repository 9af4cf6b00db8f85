import { forward, type Forwarded } from "./forward.ts";
import { answerWebhook, heardWebhooks, takenWebhooks, type HeardWebhook, type Listening } from "./listen.ts";

/** A received or forwarded webhook, as `--json` prints it. */
export interface Shown extends Omit<HeardWebhook, "id" | "body"> {
  readonly event: unknown;
  readonly forwarded?: Pick<Forwarded, "ms" | "failure">;
}

type Show = (shown: Shown) => void;

/** Shows each webhook that comes to the receiver. Resolves when the page's server ends or the signal aborts. */
export async function showHeard(listening: Listening, show: Show): Promise<void> {
  for await (const webhook of heardWebhooks(listening)) show(shownOf(webhook, webhook.answer));
}

/**
 * Forwards each webhook, shows it, and gives the platform the status. A slow webhook does not delay others. Resolves as `showHeard` does.
 */
export async function forwardAll(listening: Listening, address: string, show: Show): Promise<void> {
  const { liveUrl, signal } = listening;
  for await (const webhook of takenWebhooks(listening, address))
    void (async () => {
      const { ms, failure, ...answer } = await forward(address, webhook, signal);
      if (signal.aborted) return;
      await answerWebhook(liveUrl, { id: webhook.id, ...answer });
      show({ ...shownOf(webhook, answer.status), forwarded: { ms, ...(failure !== undefined && { failure }) } });
    })().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
}

/**
 * Returns a function that tells the user what to do if the server at this address does not respond. It tells this once, and again after the
 * server has responded.
 */
export function outageAt(address: string): (shown: Pick<Shown, "forwarded">) => string | undefined {
  let isOut = false;
  return ({ forwarded: { failure } = { ms: 0 } }) => {
    const wasOut = isOut;
    isOut = failure !== undefined;
    if (wasOut || failure === undefined) return undefined;
    const what = failure === "ECONNREFUSED" ? "Nothing listens at" : "There is no response from";
    return (
      `${what} ${address} (${failure}), so the platform gets 502. It sends a failed event again after about 5 s, then less often, ` +
      "for about a week. Start your server there, or end this command and name another address with --forward."
    );
  };
}

function shownOf(
  { type, eventId, attempt, isSignatureValid, body }: Omit<HeardWebhook, "answer">,
  answer: number | undefined,
): Shown {
  return { type, eventId, attempt, isSignatureValid, answer, event: parsed(Buffer.from(body, "base64").toString()) };
}

/** The event, or the text itself if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
