import type { ForwardedWebhook, ListenersAnswer } from "../../pages/live/forwarding.ts";
import { changesOf, linesOf } from "../../pages/live/stream.ts";

export interface Listening {
  readonly liveUrl: string;
  /** The types to hear; all where it is empty. */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

/** A webhook that came to the receiver, and its answer where it has one already. */
export interface HeardWebhook extends Omit<ForwardedWebhook, "headers"> {
  readonly answer: number | undefined;
}

/** The webhooks that come to the live page's receiver from now on. Ends when the page's server does, and when the signal aborts. */
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

/** Takes the place of the receiver while it is read: each webhook waits for its answer, which `answerWebhook` gives. */
export async function* takenWebhooks(
  { liveUrl, types, signal }: Listening,
  address: string,
): AsyncGenerator<ForwardedWebhook> {
  try {
    const response = await post(liveUrl, "listen", { address, types }, signal);
    if (!response.ok) throw new Error(`The live page at ${liveUrl} responded ${response.status}.`);
    for await (const line of linesOf(response)) if (line !== "") yield JSON.parse(line) as ForwardedWebhook;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Gives the platform the answer to a webhook. Where it waits no more, nothing happens. */
export async function answerWebhook(liveUrl: string, answer: ListenersAnswer): Promise<void> {
  await post(liveUrl, "listen/answers", answer);
}

const post = (liveUrl: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(new URL(path, liveUrl), { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });
