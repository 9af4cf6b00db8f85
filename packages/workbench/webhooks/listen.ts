import type { ForwardedWebhook, ListenersAnswer } from "../live/forwarding.ts";
import { changesOf, linesIn } from "../live/stream.ts";

export interface Listening {
  readonly liveUrl: string;
  /** The types to listen for. Empty means all types. */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

/** A webhook that came to the receiver, with its answer if it has one already. */
export interface HeardWebhook extends Omit<ForwardedWebhook, "headers"> {
  readonly answer: number | undefined;
}

/** The webhooks that come to the live page's receiver from now on. Ends when the page's server ends or the signal aborts. */
export async function* heardWebhooks({ liveUrl, types, signal }: Listening): AsyncGenerator<HeardWebhook> {
  let known: Set<string> | undefined;
  for await (const { webhooks = [] } of changesOf(liveUrl, signal)) {
    const fresh = webhooks.filter(({ id }) => known !== undefined && !known.has(id)).toReversed(); // the newest comes first
    known = new Set([...(known ?? []), ...webhooks.map(({ id }) => id)]);
    for (const { body, ...view } of fresh)
      if (types.length === 0 || types.includes(view.type))
        yield { ...view, body: Buffer.from(body).toString("base64") };
  }
}

/** Replaces the receiver while this is read. Each webhook waits until `answerWebhook` gives its answer. */
export async function* takenWebhooks(
  { liveUrl, types, signal }: Listening,
  address: string,
): AsyncGenerator<ForwardedWebhook> {
  try {
    const response = await post(liveUrl, "listen", { address, types }, signal);
    if (!response.ok) throw new Error(`The live page at ${liveUrl} responded ${response.status}.`);
    for await (const line of linesIn(response)) if (line !== "") yield JSON.parse(line) as ForwardedWebhook;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Gives the platform the answer to a webhook. Has no effect if the platform no longer waits for it. */
export async function answerWebhook(liveUrl: string, answer: ListenersAnswer): Promise<void> {
  await post(liveUrl, "listen/answers", answer);
}

const post = (liveUrl: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(new URL(path, liveUrl), { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });
