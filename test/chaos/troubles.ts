import { setTimeout as sleep } from "node:timers/promises";
import type { FaultTarget, FaultInput } from "../../packages/local-azure/faults/rule.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { workers } from "../../functions/workers.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import type { Random } from "../support/seeded-random.ts";

/** The places of a trouble. */
interface Troubled {
  readonly stack: Stack;
  /** Loses every connection of the hosts. */
  loseAll(): void;
}

/** Starts a trouble of the app's dependencies for this many seconds. The result ends a trouble that does not end by itself. */
type Begin = (troubled: Troubled, seconds: number) => Promise<() => void>;

const fault =
  (target: FaultTarget, kind: "forbidden" | "full"): Begin =>
  async ({ stack }, seconds) => {
    await stack.faults.set(target, { kind, seconds });
    return () => {};
  };

/** The troubles that a whole run can have. */
const troubles = {
  "forbidden-tables": fault({ tables: "all" }, "forbidden"),
  "frozen-bus": async ({ stack }) => stack.freezeServiceBus(),
  "full-queues": fault({ queues: "all" }, "full"),
  "lost-connections": async ({ loseAll }) => {
    loseAll();
    return () => {};
  },
} satisfies Record<string, Begin>;
export type Trouble = keyof typeof troubles;
export const troubleNames = Object.keys(troubles) as Trouble[];

/** How long the load runs before the trouble begins. */
const BEFORE_MS = 10_000;

/** Lets the load run for a while, and then through one trouble for this time. */
export async function endure(trouble: Trouble, troubled: Troubled, ms: number): Promise<void> {
  await sleep(BEFORE_MS);
  const end = await troubles[trouble](troubled, ms / 1_000);
  await sleep(ms);
  end();
}

const targets = [
  { tables: "all" },
  ...Object.values(tableNames).map((table) => ({ table })),
  { queues: "all" },
  ...workers.map(({ name }) => ({ queue: name })),
] as [FaultTarget, ...FaultTarget[]];

/** Starts a random fault of a random dependency for a few seconds. Resolves at once, with its name. */
export async function anyTrouble(random: Random, { faults }: Stack): Promise<string> {
  const target = random.pick(...targets);
  const [service] = Object.keys(target) as [string];
  const kinds = ["busy", "silent", "forbidden", "away", "slow"] as const;
  const kind = service.startsWith("queue") ? random.pick(...kinds, "full" as const) : random.pick(...kinds);
  const seconds = random.realBetween(0.5, 5);
  const input: FaultInput =
    kind === "slow" ? { kind, seconds, milliseconds: random.between(50, 3_000) } : { kind, seconds };
  await faults.set(target, input);
  const whole = service === "tables" || service === "queues";
  return `${whole ? `all ${service}` : `one ${service}`}: ${kind}`;
}
