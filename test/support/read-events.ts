import type { Refusal } from "../../shared/domain/refusal.ts";
import { ok, type Result } from "../../shared/domain/result.ts";
import { readFeed, type ReadFeedDeps } from "../../shared/use-cases/feed/read-feed.ts";
import { callBy, type Platform } from "./platform.ts";

/** The events that a reader of the feed received. */
export interface EventsRead {
  readonly types: readonly string[];
  /** The body of each webhook. */
  readonly bodies: readonly string[];
  readonly next: number;
}

/** Reads every event after this number, page by page to the end. */
export async function readEvents(
  deps: Platform["deps"] & ReadFeedDeps,
  number?: number,
  atMost = 100,
): Promise<Result<EventsRead, Refusal<"cursor_expired">>> {
  const bodies: string[] = [];
  for (let from = number; ;) {
    const page = await readFeed(deps, callBy(deps), { number: from, atMost, waitSeconds: 0 });
    if (!page.ok) return page;
    bodies.push(...page.value.events.map(({ body }) => body));
    const { next } = page.value;
    if (page.value.events.length === 0)
      return ok({ types: bodies.map((body) => (JSON.parse(body) as { readonly type: string }).type), bodies, next });
    from = next;
  }
}
