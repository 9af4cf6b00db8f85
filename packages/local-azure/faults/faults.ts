import type { Fault, FaultTarget, FaultInput } from "./rule.ts";

/** The faults that are in force. A fault ends by itself when its time is over. */
export interface Faults {
  /** Sets a target's fault and replaces the earlier one. */
  set(target: FaultTarget, input: FaultInput): Fault;
  /** Removes the fault of exactly this target, or all faults. A fault on all tables stays when the fault of one table is removed. */
  clear(target?: FaultTarget): void;
  /** Replaces the list with that of another process. */
  replace(faults: readonly Fault[]): void;
  list(): readonly Fault[];
  /**
   * The fault that applies to a call, if any. A partition's fault has precedence over its table's, and a table's over the fault of all
   * tables. A partition's fault does not apply to a call that names no partition. Names of tables and queues are case-insensitive, as in
   * Azure. Partitions are case-sensitive.
   */
  of(target: FaultTarget): Fault | undefined;
}

/** `now` returns milliseconds since 1970, the clock of all processes of a stack. */
export function newFaults(now: () => number): Faults {
  let byKey: ReadonlyMap<string, Fault> = new Map(); // usually empty, so a call costs one check
  const isOn = ({ until }: Fault) => until > now();
  const keep = (faults: Iterable<Fault>) => {
    byKey = new Map([...faults].filter(isOn).map((fault) => [keyOf(fault.target), fault]));
  };
  return {
    set(target, { seconds, ...what }) {
      const fault: Fault = { target, until: now() + seconds * 1_000, ...what };
      keep([...byKey.values(), fault]);
      return fault;
    },
    clear(target) {
      const key = target && keyOf(target);
      keep([...byKey].filter(([other]) => key !== undefined && other !== key).map(([, fault]) => fault));
    },
    replace: keep,
    list: () => [...byKey.values()].filter(isOn),
    of(target) {
      if (byKey.size === 0) return undefined;
      const found = keysThatMeet(target).map((key) => byKey.get(key));
      return found.find((fault) => fault !== undefined && isOn(fault));
    },
  };
}

/** The key of a target. It is unique, because a table's name contains no line break. */
function keyOf(target: FaultTarget): string {
  if ("queue" in target) return `queue ${target.queue.toLowerCase()}`;
  if ("queues" in target) return "queues";
  if ("tables" in target) return "tables";
  const table = `table ${target.table.toLowerCase()}`;
  return target.partition === undefined ? table : `${table}\n${target.partition}`;
}

/** The keys of the faults that can apply to this call, the closest first. */
function keysThatMeet(target: FaultTarget): string[] {
  if ("queues" in target || "tables" in target) return [keyOf(target)];
  if ("queue" in target) return [keyOf(target), "queues"];
  const table = [keyOf({ table: target.table }), "tables"];
  return target.partition === undefined ? table : [keyOf(target), ...table];
}
