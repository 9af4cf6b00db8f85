import type { Timings } from "../../../shared/domain/timings.ts";
import type { Bells } from "../../../shared/ports/bells.ts";
import { type RungBells, bellsTable } from "../../../shared/stores/rung-bells.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { type Feeds, feedsTable } from "../../../shared/stores/feeds.ts";
import type { Tables } from "../../../shared/stores/stores.ts";
import { sharedBells } from "../../../shared/use-cases/bells/shared-bells.ts";
import { feedWriter, type FeedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { heartbeats, type Heartbeats } from "../../../shared/use-cases/terminals/heartbeats.ts";
import { newestPolls, type Polls } from "../../../shared/use-cases/bells/newest-polls.ts";
import { createInvocation, type Invocation } from "../world/invocation.ts";
import { instantAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { slow, type Pace, type Stores } from "./stores.ts";

/** The state that the invocations of one process share. */
export interface Host {
  readonly polls: Polls;
  readonly heartbeats: Heartbeats;
  readonly bells: Bells;
  readonly feed: FeedWriter;
}

/**
 * The processes that run the app. Each invocation is in one of them. An invocation may die by itself, and then no longer listens for bells.
 */
export function createHosts(world: World, stores: Stores, timings: Timings): (invocation: Invocation) => Host {
  const hosts = [createHost(world, stores, timings), createHost(world, stores, timings)] as const;
  return (invocation) => {
    const { polls, heartbeats, bells, feed } = world.quirks.pick(...hosts);
    invocation.whenDead(() => void (world.quirks.chance(0.3) && feed.die()));
    return { polls, heartbeats, bells: disturbed(world, heardBy(invocation, bells)), feed: feed.current() };
  };
}

/** A longer pause between reads of the bells runs more worlds a second. Nothing else in a world depends on twentieths of a second. */
const EVERY_MS = 500;

function createHost(
  world: World,
  stores: Stores,
  timings: Timings,
): Omit<Host, "feed"> & { readonly feed: MortalFeed } {
  const { agenda, newId } = world;
  const ringer = newId();
  const clock = { now: () => instantAt(agenda.now()), sleep: agenda.sleep };
  const bells = sharedBells({
    rungBells: bellsReachedBy(world, stores, `bells of ${ringer}`),
    clock,
    ringer,
    everyMs: EVERY_MS,
    troubled: () => world.faultPlan.meet("bells are unavailable"),
  });
  const feed = mortalFeed(
    world,
    (call) => feedWriter({ feeds: feedsReachedBy(call), clock }),
    callsOf(world, stores, `feed of ${ringer}`, slow),
  );
  return { polls: newestPolls(), heartbeats: heartbeats(timings.heartbeatSeconds), bells, feed };
}

/** The writer of a host's feeds, until the host dies. Calls that wait in it then never get a result, and a new writer begins. */
interface MortalFeed {
  current(): FeedWriter;
  die(): void;
}

function mortalFeed(world: World, start: (call: Call) => FeedWriter, call: Call): MortalFeed {
  let lives = 0;
  const begin = (life: number): FeedWriter =>
    start(<T>(act: (tables: Tables) => Promise<T>) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const whileAlive =
        <Given>(settle: (given: Given) => void) =>
        (given: Given): void =>
          void (life === lives && settle(given));
      if (life === lives) call(act).then(whileAlive(resolve), whileAlive(reject));
      return promise;
    });
  let writer = begin(lives);
  const feed: MortalFeed = {
    current: () => writer,
    die: () => void (writer = begin(++lives)),
  };
  world.processes.add(feed);
  return feed;
}

type Call = <T>(act: (tables: Tables) => Promise<T>) => Promise<T>;

/** A call of the tables by a process that survives. If the call would kill its process, it hangs, and then fails with a time-out. */
const callsOf = (world: World, stores: Stores, name: string, pace?: Pace): Call =>
  function call<T>(act: (tables: Tables) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timeOut = () => world.agenda.after(2.5 * SECOND, () => reject(new Unavailable(`no answer for the ${name}`)));
    act(stores.reachedBy(createInvocation(world, name, timeOut), pace)).then(resolve, reject);
    return promise;
  };

function bellsReachedBy(world: World, stores: Stores, name: string): RungBells {
  const call = callsOf(world, stores, name);
  return {
    save: (rung) => call(({ bells }) => bellsTable(bells).save(rung)),
    all: () =>
      world.faultPlan.fault(0.02, "bells are not read")
        ? Promise.reject(new Unavailable("the bells are not read"))
        : call(({ bells }) => bellsTable(bells).all()),
    remove: (rung) => call(({ bells }) => bellsTable(bells).remove(rung)),
  };
}

const feedsReachedBy = (call: Call): Feeds => ({
  head: (...given) => call(({ feeds }) => feedsTable(feeds).head(...given)),
  isMarked: (...given) => call(({ feeds }) => feedsTable(feeds).isMarked(...given)),
  enter: (...given) => call(({ feeds }) => feedsTable(feeds).enter(...given)),
  after: (...given) => call(({ feeds }) => feedsTable(feeds).after(...given)),
});

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
