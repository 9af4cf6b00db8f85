import type { Fault, FaultTarget, FaultWish } from "./rule.ts";

/** The faults that are in force. A fault whose time is over is gone; nobody has to take it back. */
export interface Faults {
  /** Puts a fault on a target, in the place of the one that it had. */
  set(target: FaultTarget, wish: FaultWish): Fault;
  /** Takes back the fault of this very target, or all of them. A fault on all tables stays when that on one table goes. */
  clear(target?: FaultTarget): void;
  /** Takes over what another process has in force. */
  replace(faults: readonly Fault[]): void;
  list(): readonly Fault[];
  /**
   * The fault that a call meets, if any: the closest one, a partition's before its table's before that of all tables. A call that names
   * no partition does not meet a partition's. Names of tables and queues are compared without regard to case, as Azure does; partitions are not.
   */
  of(target: FaultTarget): Fault | undefined;
}

/** `now` is in milliseconds since 1970, as all processes of a stack read it. */
export function newFaults(now: () => number): Faults {
  let byKey: ReadonlyMap<string, Fault> = new Map(); // most of the time empty: a call then costs one look
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

/** One target, one key. A line break stands in no name of a table. */
function keyOf(target: FaultTarget): string {
  if ("queue" in target) return `queue ${target.queue.toLowerCase()}`;
  if ("queues" in target) return "queues";
  if ("tables" in target) return "tables";
  const table = `table ${target.table.toLowerCase()}`;
  return target.partition === undefined ? table : `${table}\n${target.partition}`;
}

/** The keys under which a fault stands that this call meets, the closest first. */
function keysThatMeet(target: FaultTarget): string[] {
  if ("queues" in target || "tables" in target) return [keyOf(target)];
  if ("queue" in target) return [keyOf(target), "queues"];
  const table = [keyOf({ table: target.table }), "tables"];
  return target.partition === undefined ? table : [keyOf(target), ...table];
}
