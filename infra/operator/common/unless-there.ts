import { Conflict } from "../../../shared/ports/failures.ts";

/** Leaves alone what an earlier try has made, or what kept tables have already. */
export async function unlessThere(making: Promise<unknown>): Promise<void> {
  await making.catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}
