import { describe } from "vitest";
import type { Rows, WholeTable } from "../../../shared/ports/rows.ts";
import { newTable } from "../../support/azurite.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

/** Runs a suite twice, on the rows in memory and on Azurite, so that the fake behaves like the store. */
export function onBothStores(name: string, suite: (newTable: () => Promise<Rows & WholeTable>) => void): void {
  describe(`${name}, in memory`, () => suite(async () => inMemoryRows()));
  describe(`${name}, on Azurite`, () => suite(newTable));
}
