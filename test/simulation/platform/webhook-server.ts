import type { Instant } from "../../../shared/domain/time.ts";
import type { WebhookResponse, WebhookRequest, Webhooks } from "../../../shared/ports/webhooks.ts";
import { nextAttemptAfter } from "../../../shared/adapters/webhooks/retry-schedule.ts";
import type { Invocation } from "../world/invocation.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** The content that a partner's server received under one `webhook-id`. */
export interface ReceivedWebhook {
  readonly body: string;
  readonly url: string;
  readonly firstAt: Instant;
  /** Whether it responded 2xx or 410. After a 410 it wants no further calls. */
  readonly over: boolean;
}

/** The partners' servers: up, failing, overloaded or silent, until faults end. */
export interface WebhookServer {
  reachedBy(invocation: Invocation): Webhooks;
  readonly received: ReadonlyMap<string, ReceivedWebhook>;
  /** Keeps only the received events with these identifiers. All others are about lost changes. */
  keepOnly(eventIds: ReadonlySet<string>): void;
}

export function createWebhookServer(world: World): WebhookServer {
  const { agenda, random, faultPlan } = world;
  const received = new Map<string, ReceivedWebhook>();
  const troubled = random.pick(0.02, 0.3, 1);
  const awayUntil = faultPlan.fault(0.15, "partner away") ? random.between(0, 45 * MINUTE) : 0;

  function answer({ id, url, body, at }: WebhookRequest): WebhookResponse & { readonly after: number } {
    const known = received.get(id);
    if (known && known.url !== url) world.violate("one webhook-id with two addresses", id);
    if (known && known.body !== body) world.violate("one webhook-id with two bodies", id);
    const given = drawAnswer();
    const over = known?.over === true || given.kind !== "failed";
    received.set(id, { body, url, firstAt: known?.firstAt ?? at, over });
    world.trace?.("partner's server", `${id} ${given.kind} ${given.status ?? ""}`);
    return given;
  }

  function drawAnswer(): WebhookResponse & { readonly after: number } {
    const isAway = agenda.now() < awayUntil;
    if (!isAway && !faultPlan.fault(troubled * 0.5, "webhook refused"))
      return { kind: "delivered", status: 204, ms: 20, after: 20 };
    const trouble = isAway ? "silent" : random.pick("silent", "busy", "broken", "gone");
    if (trouble === "silent") return { kind: "failed", reason: "time-out", ms: 15_000, after: 15 * SECOND };
    if (trouble === "gone") return { kind: "gone", status: 410, ms: 20, after: 20 };
    if (trouble === "broken") return { kind: "failed", reason: "status", status: 500, ms: 20, after: 20 };
    const retryAfterSeconds = random.pick(1, 30, 600);
    return { kind: "failed", reason: "status", status: 429, retryAfterSeconds, ms: 20, after: 20 };
  }

  return {
    received,
    keepOnly(eventIds) {
      for (const id of received.keys()) if (!eventIds.has(id)) received.delete(id);
    },
    reachedBy: (invocation) => ({
      async send(request) {
        // A failure on the way to a partner is a response, never an error. The process may die at this call as at any other.
        const { promise, resolve } = Promise.withResolvers<WebhookResponse>();
        if (faultPlan.fault(troubled * 0.1, "webhook postponed")) return "postponed";
        const { after, ...given } = answer(request);
        if (faultPlan.fault(0.01, "caller dies before the response")) {
          invocation.die();
          return promise;
        }
        agenda.after(after, () => void (invocation.isDead() || resolve(given)));
        return promise;
      },
      challenge: () => Promise.reject(new Error("no partner of a world has registered hosts")),
      nextAttemptAfter: (attempt, retryAfterSeconds) => nextAttemptAfter(attempt, random.next(), retryAfterSeconds),
    }),
  };
}
