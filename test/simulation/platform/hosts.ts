import type { Timings } from "../../../shared/domain/timings.ts";
import type { Bells, RungBells } from "../../../shared/ports/bells.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { bellsTable } from "../../../shared/tables/bells-table.ts";
import { sharedBells } from "../../../shared/use-cases/bells/shared-bells.ts";
import { heartbeats, type Heartbeats } from "../../../shared/use-cases/terminals/heartbeats.ts";
import { newestPolls, type Polls } from "../../../shared/use-cases/terminals/newest-polls.ts";
import { createInvocation, type Invocation } from "../world/invocation.ts";
import { instantAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Stores } from "./stores.ts";

/** What the invocations of one process share. */
export interface Host {
  readonly polls: Polls;
  readonly heartbeats: Heartbeats;
  readonly bells: Bells;
}

/**
 * The processes that run the app; each invocation is in one of them. An invocation may die by itself; then it no longer listens for bells.
 */
export function createHosts(world: World, stores: Stores, timings: Timings): (invocation: Invocation) => Host {
  const hosts = [createHost(world, stores, timings), createHost(world, stores, timings)] as const;
  return (invocation) => {
    const { polls, heartbeats, bells } = world.quirks.pick(...hosts);
    return { polls, heartbeats, bells: disturbed(world, heardBy(invocation, bells)) };
  };
}

/** A longer pause between reads of the bells gives more worlds a second; nothing else in a world depends on twentieths of a second. */
const EVERY_MS = 500;

function createHost(world: World, stores: Stores, timings: Timings): Host {
  const { agenda, newId } = world;
  const ringer = newId();
  const bells = sharedBells({
    rungBells: reachedBy(world, stores, `bells of ${ringer}`),
    clock: { now: () => instantAt(agenda.now()), sleep: agenda.sleep },
    ringer,
    everyMs: EVERY_MS,
    troubled: () => world.faultPlan.meet("bells are unavailable"),
  });
  return { polls: newestPolls(), heartbeats: heartbeats(timings.heartbeatSeconds), bells };
}

/** The rows of the bells, over the network. Where a call would kill its process, it hangs, and then fails with a time-out. */
function reachedBy(world: World, stores: Stores, name: string): RungBells {
  const call = <T>(act: (rungBells: RungBells) => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timeOut = () => world.agenda.after(2.5 * SECOND, () => reject(new Unavailable("the bells did not answer")));
    act(bellsTable(stores.reachedBy(createInvocation(world, name, timeOut)).bells)).then(resolve, reject);
    return promise;
  };
  return {
    save: (rung) => call((bells) => bells.save(rung)),
    all: () =>
      world.faultPlan.fault(0.02, "bells are not read")
        ? Promise.reject(new Unavailable("the bells are not read"))
        : call((bells) => bells.all()),
    remove: (rung) => call((bells) => bells.remove(rung)),
  };
}

const heardBy = (invocation: Invocation, bells: Bells): Bells => ({
  ring: bells.ring,
  listen(terminalId, wake) {
    const end = bells.listen(terminalId, wake);
    invocation.whenDead(end);
    return end;
  },
});

/** Loses, delays and doubles many bells, because no promise may depend on one. */
const disturbed = ({ agenda, random, faultPlan }: World, bells: Bells): Bells => ({
  listen: bells.listen,
  ring(terminalId) {
    if (faultPlan.fault(0.2, "bell is lost")) return;
    if (faultPlan.fault(0.1, "bell is doubled")) bells.ring(terminalId);
    if (!faultPlan.fault(0.1, "bell is late")) return bells.ring(terminalId);
    agenda.after(random.between(0, 20 * SECOND), () => bells.ring(terminalId));
  },
});
