import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { linesOf } from "../../../infra/tools/lines.ts";
import type { Change } from "./views/snapshot.ts";

/**
 * The changes in the live page's stream, as the page gets them. The first one holds everything that the page shows. Ends when the server
 * ends the stream, or when the signal aborts. Throws if there is no live page.
 */
export async function* changesOf(liveUrl: string, signal: AbortSignal): AsyncGenerator<Change> {
  try {
    const response = await fetch(new URL("stream", liveUrl), { signal });
    if (!response.ok) throw new Error(`The live page at ${liveUrl} responded ${response.status}.`);
    for await (const line of linesIn(response))
      if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length)) as Change;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The lines of a response, as they arrive. */
export async function* linesIn({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const stream = Readable.fromWeb(body as ReadableStream<Uint8Array>);
  try {
    yield* linesOf(stream);
  } finally {
    stream.destroy();
  }
}
