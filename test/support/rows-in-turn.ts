import type { Operation, Row, Rows } from "../../shared/ports/rows.ts";
import { inMemoryRows } from "./in-memory-rows.ts";

/** Tables whose calls go through `turn` from the moment that `race` is called with `true`. */
export function rowsInTurn(turn: (act: () => Promise<unknown>) => Promise<unknown>) {
  let isRacing = false;
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => (isRacing ? ((await turn(act)) as T) : act());
  return {
    race: (is: boolean) => (isRacing = is),
    open(): Rows {
      const rows = inMemoryRows();
      return {
        get: (...given) => inTurn<Row | undefined>(() => rows.get(...given)),
        withPrefix: (...given) => inTurn(() => rows.withPrefix(...given)),
        after: (...given) => inTurn(() => rows.after(...given)),
        submit: (partition: string, operations: readonly Operation[]) =>
          inTurn(() => rows.submit(partition, operations)),
        remove: (...given) => inTurn(() => rows.remove(...given)),
      };
    },
  };
}
