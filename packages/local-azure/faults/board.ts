import { newFaults } from "./faults.ts";
import type { Channel } from "../common/channel.ts";
import { handFaults } from "./part.ts";
import type { Fault, FaultTarget, FaultInput } from "./rule.ts";

/** The services of the stack that can show faults. */
export type FaultyService = "tables" | "queues";

/** The faults of a stack, kept in its parent process. */
export interface FaultBoard {
  /** Resolves when every affected part has accepted the fault. Rejects if a part does not, or if no such fault exists. */
  set(target: FaultTarget, input: FaultInput): Promise<Fault>;
  /** Removes the fault of exactly this target, or all faults. Resolves like `set`. */
  clear(target?: FaultTarget): Promise<void>;
  list(): readonly Fault[];
  /** Adds a part that has just started. Resolves when it has accepted the faults in force. */
  serve(service: FaultyService, part: Channel): Promise<void>;
}

export function newFaultBoard(): FaultBoard {
  const faults = newFaults(Date.now);
  const parts: Record<FaultyService, Set<Channel>> = { tables: new Set(), queues: new Set() };
  const faultsOf = (service: FaultyService) => faults.list().filter(({ target }) => serviceOf(target) === service);
  const hand = async (service: FaultyService) => {
    await Promise.all([...parts[service]].map((part) => handFaults(part, faultsOf(service))));
  };
  return {
    async set(target, input) {
      const reason = unknownFault(target, input);
      if (reason !== undefined) throw new Error(reason);
      const fault = faults.set(target, input);
      await hand(serviceOf(target));
      return fault;
    },
    async clear(target) {
      const concerned = new Set((target ? [target] : faults.list().map((fault) => fault.target)).map(serviceOf));
      faults.clear(target);
      await Promise.all([...concerned].map(hand));
    },
    list: () => faults.list(),
    async serve(service, part) {
      parts[service].add(part);
      part.once("disconnect", () => parts[service].delete(part));
      if (faultsOf(service).length > 0) await handFaults(part, faultsOf(service));
    },
  };
}

/** The reason why a fault cannot be shown. Undefined if it can. */
export function unknownFault(target: FaultTarget, { kind }: FaultInput): string | undefined {
  if (kind !== "full" || serviceOf(target) === "queues") return undefined;
  return "Only queues can be full: Microsoft documents no answer of a storage account without space.";
}

const serviceOf = (target: FaultTarget): FaultyService =>
  "table" in target || "tables" in target ? "tables" : "queues";
