import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../../shared/ports/failures.ts";

const TRIES = 20;

/** Repeats a read if the tables do not respond in time. This happens on a machine that is busy with the run itself. */
export async function patiently<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === TRIES) throw error;
      await sleep(1_000);
    }
  }
}
