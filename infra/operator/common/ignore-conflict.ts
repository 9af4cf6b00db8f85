import { Conflict } from "../../../shared/ports/failures.ts";

/** Ignores a conflict, because an earlier try or kept tables already have the object. */
export async function ignoreConflict(making: Promise<unknown>): Promise<void> {
  await making.catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}
