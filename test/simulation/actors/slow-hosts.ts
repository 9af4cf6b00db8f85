import { IDEMPOTENCY_PREFIX } from "../../../shared/stores/keys.ts";
import type { Deps, Platform } from "../platform/platform.ts";
import { FAULTS_END, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Keys } from "./keys.ts";

/** After this age the key of a request without an outcome may be taken. */
const OLD = 20 * SECOND;
/** A host that waits for another request goes on after this, even if none came. */
const LONGEST = 120 * SECOND;

/**
 * Hosts that stop between the row of a request's key and the commit. They die, or they go on: some time later, or just when another request
 * reads the key and may take it.
 */
export function createSlowHosts(
  { agenda, faultPlan, lostTime }: World,
  { stores }: Platform,
  { fate, areNaive }: Keys,
): (deps: Deps) => Deps {
  const waiting = new Set<() => void>();
  stores.watchReads(({ table, rowKey }) => {
    if (table === "sessions" && rowKey.startsWith(IDEMPOTENCY_PREFIX)) for (const wake of waiting) wake();
  });
  const untilRead = (): Promise<void> => {
    const since = agenda.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => {
      if (agenda.now() - since < OLD) return;
      waiting.delete(wake);
      agenda.after(fate.between(0, fate.pick(20, 100, 250)), resolve);
    };
    waiting.add(wake);
    agenda.after(LONGEST, wake);
    return promise;
  };
  const pause = (): Promise<void> => {
    switch (fate.pick("dies", "is slow", "waits", "waits")) {
      case "dies":
        faultPlan.meet("host dies between a key and its commit");
        return new Promise(() => {});
      case "is slow":
        faultPlan.meet("host is slow between a key and its commit");
        return agenda.sleep(fate.between(SECOND, fate.pick(20, 40, 90) * SECOND));
      case "waits":
        faultPlan.meet("host commits just when another request takes its key");
        return untilRead();
    }
  };
  return (deps) => {
    const likelihood = lostTime.restoredAt === undefined ? 0.15 : 0.4;
    if (!areNaive || agenda.now() >= FAULTS_END || !fate.chance(likelihood)) return deps;
    let isFirst = true;
    const commit: Deps["payments"]["commit"] = async (...given) => {
      if (isFirst) await pause();
      isFirst = false;
      await deps.payments.commit(...given);
    };
    return { ...deps, payments: { ...deps.payments, commit } };
  };
}
