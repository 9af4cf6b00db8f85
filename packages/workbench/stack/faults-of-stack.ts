import { tableNames } from "../../../shared/stores/table-names.ts";
import declared from "../../../infra/azure/service-bus/queues.json" with { type: "json" };
import type { Child } from "./child.ts";
import { newFaultBoard, type FaultBoard, type FaultyService } from "../../local-azure/faults/board.ts";
import { startFaultSwitch, type FaultSwitch, type FaultyNames } from "../../local-azure/faults/switch.ts";

/** The faults of a stack and the switch for them. */
export interface StackFaults extends FaultSwitch {
  readonly board: FaultBoard;
  /** Gives a part the faults in force after every start and restart. A part that does not accept them is ended. */
  served<Part extends Child>(service: FaultyService, starting: Promise<Part>): Promise<Part>;
}

// The broker validates this file by its schema. Only the names are needed here.
const queues = declared.UserConfig.Namespaces.flatMap((namespace) => namespace.Queues.map(({ Name }) => Name));

/** The product's tables and queues, on which faults can be set. */
export const faultyNames: FaultyNames = { tables: Object.values(tableNames), queues };

/** Starts the switch for the product's tables and queues. Rejects with the error of `listen` for a port that is taken. */
export async function startFaults(port: number): Promise<StackFaults> {
  const board = newFaultBoard();
  const faultSwitch = await startFaultSwitch({ port, board, names: faultyNames });
  return {
    ...faultSwitch,
    board,
    async served(service, starting) {
      const part = await starting;
      try {
        await board.serve(service, part.channel);
      } catch (error) {
        await part.kill();
        throw error;
      }
      return part;
    },
  };
}
