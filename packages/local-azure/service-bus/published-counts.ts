import type { Publisher } from "../common/publish.ts";
import type { QueueCounts } from "./queue.ts";

const EVERY_MS = 200;

/**
 * Publishes the counts of the queues. When the parent asks, it publishes all queues. Then it publishes the queues whose counts have
 * changed, at most five times a second. Before the parent asks, nothing is counted.
 */
export function publishCounts(
  count: () => QueueCounts[],
  publisherOf: (begin: (publish: (item: QueueCounts[]) => void) => void) => Publisher<QueueCounts[]>,
): void {
  let last = new Map<string, string>();
  let beats: NodeJS.Timeout | undefined;
  const publishChanged = (publish: (item: QueueCounts[]) => void) => {
    const now = count().map((counts) => ({ counts, text: JSON.stringify(counts) }));
    const changed = now.filter(({ counts, text }) => last.get(counts.name) !== text);
    last = new Map(now.map(({ counts, text }) => [counts.name, text]));
    if (changed.length > 0) publish(changed.map(({ counts }) => counts));
  };
  publisherOf((publish) => {
    last.clear();
    publishChanged(publish);
    beats ??= setInterval(() => publishChanged(publish), EVERY_MS).unref();
  });
}
