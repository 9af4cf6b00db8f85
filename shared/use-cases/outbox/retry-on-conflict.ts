import { Conflict, Unavailable } from "../../ports/failures.ts";

/** Reads and decides again when somebody else wrote first; after five times it counts as a dependency in trouble. */
export async function retryOnConflict<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (attempt === 5) throw new Unavailable("contended five times", { cause: error });
    }
  }
}
