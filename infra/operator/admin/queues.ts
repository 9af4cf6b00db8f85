import { readFile } from "node:fs/promises";
import { ServiceBusAdministrationClient, type CreateQueueOptions } from "@azure/service-bus";
import * as z from "zod";
import type { BusNamespace } from "../../../shared/adapters/queues/bus-client.ts";

// The queues as Azure gets them: infra/azure/service-bus/queues.json with the settings of overrides.json, which only Azure supports.

const folder = new URL("../../azure/service-bus/", import.meta.url);

const properties = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const queuesFile = z.object({
  UserConfig: z.object({
    Namespaces: z.tuple([z.object({ Queues: z.array(z.object({ Name: z.string(), Properties: properties })) })]),
  }),
});

/** A queue with its settings, named as in the administration client. */
export interface DeclaredQueue {
  readonly name: string;
  readonly options: CreateQueueOptions;
}

export async function declaredQueues(): Promise<readonly DeclaredQueue[]> {
  const read = async (file: string) => JSON.parse(await readFile(new URL(file, folder), "utf8")) as unknown;
  const overrides = properties.parse(await read("overrides.json"));
  const [{ Queues: queues }] = queuesFile.parse(await read("queues.json")).UserConfig.Namespaces;
  return queues.map(({ Name: name, Properties: own }) => ({ name, options: optionsOf({ ...own, ...overrides }) }));
}

/** `LockDuration` becomes `lockDuration`. */
const optionsOf = (declared: z.infer<typeof properties>): CreateQueueOptions =>
  Object.fromEntries(
    Object.entries(declared).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );

/** The methods of the administration client that are used. */
export interface QueueAdministration {
  listQueues(): AsyncIterable<{ readonly name: string } & CreateQueueOptions>;
  createQueue(name: string, options: CreateQueueOptions): Promise<unknown>;
}

/** Creates the queues that the namespace lacks. An existing queue stays unchanged, but settings that differ are reported. */
export async function createQueues(
  bus: BusNamespace,
  administration: QueueAdministration = administrationOf(bus),
): Promise<readonly { readonly name: string; readonly status: string }[]> {
  const there = new Map<string, CreateQueueOptions>();
  for await (const queue of administration.listQueues()) there.set(queue.name, queue);
  const done: { readonly name: string; readonly status: string }[] = [];
  for (const { name, options } of await declaredQueues()) {
    const found = there.get(name);
    if (!found) await administration.createQueue(name, options);
    done.push({ name, status: found ? ["was there", ...differences(found, options)].join(", but ") : "created" });
  }
  return done;
}

function differences(found: CreateQueueOptions, declared: CreateQueueOptions): string[] {
  const members = found as Readonly<Record<string, unknown>>;
  return Object.entries(declared).flatMap(([name, value]) =>
    isSame(members[name], value) ? [] : [`${name} is ${String(members[name])} and not ${String(value)}`],
  );
}

/** Compares durations by their seconds, because Azure may return P14D as 14.00:00:00 or PT336H. */
const isSame = (found: unknown, declared: unknown): boolean =>
  found === declared ||
  (typeof found === "string" && typeof declared === "string" && seconds(found) === seconds(declared));

function seconds(duration: string): number | undefined {
  const [, days = 0, hours = 0, minutes = 0, rest = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(duration) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
}

const administrationOf = (bus: BusNamespace): QueueAdministration =>
  typeof bus === "string"
    ? new ServiceBusAdministrationClient(bus)
    : new ServiceBusAdministrationClient(bus.namespace, bus.credential);
