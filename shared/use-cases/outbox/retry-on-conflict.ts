import { Conflict, Unavailable } from "../../ports/failures.ts";

/** Runs `act` again when another writer was first. After the most conflicts, five or as many as are given, it throws `Unavailable`. */
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
