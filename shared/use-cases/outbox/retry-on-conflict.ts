import { Conflict, Unavailable } from "../../ports/failures.ts";

/** Runs `act` again if another writer was first. Throws `Unavailable` after `most` conflicts. */
export async function retryOnConflict<T>(act: () => Promise<T>, most = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (attempt === most) throw new Unavailable(`another writer was first ${most} times`, { cause: error });
    }
  }
}
