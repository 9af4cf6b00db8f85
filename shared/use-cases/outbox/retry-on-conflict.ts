import { Conflict, Unavailable } from "../../ports/failures.ts";

/** Runs `act` again when another writer was first. After five conflicts it throws `Unavailable`. */
export async function retryOnConflict<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (attempt === 5) throw new Unavailable("another writer was first five times", { cause: error });
    }
  }
}
