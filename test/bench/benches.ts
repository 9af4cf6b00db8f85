import type { Bench } from "./bench.ts";
import { calls } from "./calls.ts";
import { cost } from "./cost.ts";
import { feed } from "./feed.ts";
import { idle } from "./idle.ts";
import { loop } from "./loop.ts";
import { ring } from "./ring.ts";
import { settlement } from "./settlement.ts";
import { soak } from "./soak.ts";
import { start } from "./start.ts";
import { store } from "./store.ts";
import { webhooks } from "./webhooks.ts";

/** Every benchmark, by the name on the command line. */
export const benches: Readonly<Record<string, Bench>> = {
  calls,
  ring,
  loop,
  idle,
  soak,
  feed,
  settlement,
  cost,
  store,
  start,
  webhooks,
};
