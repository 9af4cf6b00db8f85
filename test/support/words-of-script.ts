import type { Script } from "../../infra/tools/script.ts";

/** The options that the action of a script gets for these words. Rejects with the error of the words. */
export async function givenFor<Given>(
  newScript: (run: (given: Given) => Promise<void>) => Script,
  words: readonly string[],
): Promise<Given> {
  const { promise, resolve } = Promise.withResolvers<Given>();
  await newScript(async (given) => resolve(given)).parseAsync(words, { from: "user" });
  return promise;
}
