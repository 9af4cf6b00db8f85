import type { FaultBoard } from "../../local-azure/faults/board.ts";
import { faultyNames } from "../stack/faults-of-stack.ts";
import { faultInput, type Fault, type FaultTarget } from "../../local-azure/faults/rule.ts";
import { Refusal } from "./source.ts";
import type { FaultView, FaultInput } from "./views/faults.ts";

export function faultView(fault: Fault): FaultView {
  const { target, kind, until } = fault;
  return {
    id: targetText(target),
    target: targetText(target),
    kind,
    until,
    ...(fault.kind === "slow" && { milliseconds: fault.milliseconds }),
  };
}

function targetText(target: FaultTarget): string {
  if ("tables" in target) return "all tables";
  if ("queues" in target) return "all queues";
  if ("queue" in target) return `queue ${target.queue}`;
  return target.partition === undefined
    ? `table ${target.table}`
    : `table ${target.table}, partition ${target.partition}`;
}

type Board = Pick<FaultBoard, "set" | "clear" | "list">;

/** Sets a fault. Throws `Refusal` if the fault is invalid. */
export async function setFault(board: Board, input: FaultInput): Promise<void> {
  const { kind, seconds, milliseconds } = input;
  const read = faultInput.safeParse({ kind, seconds, ...(kind === "slow" && { milliseconds: milliseconds ?? 1_000 }) });
  if (!read.success) throw new Refusal("There is no such fault.");
  await setOn(board, targetOf(input), read.data);
}

/** If the board cannot set a fault, its error is a sentence for the page. */
const setOn = (board: Board, ...fault: Parameters<Board["set"]>): Promise<unknown> =>
  board.set(...fault).catch((error: unknown) => {
    throw new Refusal(error instanceof Error ? error.message : String(error));
  });

function targetOf({ service, name }: FaultInput): FaultTarget {
  if (name === undefined) return service === "tables" ? { tables: "all" } : { queues: "all" };
  const names = faultyNames[service];
  if (!names.includes(name)) throw new Refusal(`There is no ${name} among the ${service}: ${names.join(", ")}.`);
  return service === "tables" ? { table: name } : { queue: name };
}

/** Removes all faults, or the fault with this identifier. It is not an error if that fault has ended already. */
export async function clearFaults(board: Board, id?: string): Promise<void> {
  if (id === undefined) return board.clear();
  const found = board.list().find((fault) => faultView(fault).id === id);
  if (found) await board.clear(found.target);
}
