import { Conflict, Unavailable } from "../../ports/failures.ts";

/** Runs `act` again if another writer was first. It gets the number of its attempt, from 1. Throws `Unavailable` after `most` conflicts. */
export async function retryOnConflict<T>(act: (attempt: number) => Promise<T>, most = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(attempt);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (attempt === most) throw new Unavailable(`another writer was first ${most} times`, { cause: error });
    }
  }
}
