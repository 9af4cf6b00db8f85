import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import type { HttpAnswer } from "../platform/http.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { OutgoingReport } from "./terminal-memory.ts";

/** Sends reports in order, each until it gets a response. Sometimes it repeats one long afterwards. The outbox survives restarts. */
export function createOutbox(
  world: World,
  waiting: OutgoingReport[],
  audible: () => Promise<void>,
  post: (report: OutgoingReport) => Promise<HttpAnswer<Result<unknown, Refusal>>>,
): (report: OutgoingReport) => void {
  const { agenda, random, faultPlan } = world;
  let sending = false;

  async function flush(): Promise<void> {
    sending = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      await audible();
      const answer = await post(next);
      if (answer.kind !== "answered") {
        await agenda.sleep(random.between(500, 8_000));
        continue;
      }
      const isOfLost = "sessionId" in next && world.lostTime.sessions.has(next.sessionId);
      if (!answer.value.ok && !isOfLost)
        world.violate("a report was refused", `${JSON.stringify(next)} ${answer.value.error.code}`);
      if (waiting[0] === next) waiting.shift(); // otherwise a power cut has emptied it
      if (faultPlan.fault(0.04, "report repeated")) repeatLater(next);
    }
    sending = false;
  }

  function send(report: OutgoingReport): void {
    // A start goes before all unsent reports.
    waiting.splice("startedAs" in report ? Math.min(sending ? 1 : 0, waiting.length) : waiting.length, 0, report);
    if (!sending) void flush();
  }

  const repeatLater = (report: OutgoingReport) => agenda.after(random.between(SECOND, 10 * MINUTE), () => send(report));
  return send;
}
