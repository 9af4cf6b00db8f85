import { expect, it } from "vitest";
import { mutants, type Mutant } from "./mutants.ts";
import { bundleSimulation, newBundler } from "./running/bundle.ts";

it("a bundle contains only its own mutant, whatever was bundled before", async () => {
  const [one] = mutants;
  const other = mutants.find(({ file }) => file !== one?.file);
  const { bundle, end } = await newBundler();
  try {
    for (const mutant of [one, other, undefined, one] satisfies (Mutant | undefined)[])
      expect((await bundle(mutant)) === (await bundleSimulation(mutant)), `${mutant?.name}`).toBe(true);
  } finally {
    await end();
  }
});
