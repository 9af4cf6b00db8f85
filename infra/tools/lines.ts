import type { Readable } from "node:stream";

/**
 * The lines of a stream of UTF-8, as they arrive. Only `\n` ends a line, as in JSON Lines. `node:readline` also ends a line at U+2028 and
 * U+2029, which JSON permits in a text. The last line may lack its end. A reader that stops early leaves the stream
 * open and paused.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let line = "";
  for await (const bytes of stream.iterator({ destroyOnReturn: false })) {
    const [end = "", ...next] = decoder.decode(bytes as Uint8Array, { stream: true }).split("\n");
    line += end;
    for (const begin of next) {
      yield line;
      line = begin;
    }
  }
  line += decoder.decode();
  if (line !== "") yield line;
}
