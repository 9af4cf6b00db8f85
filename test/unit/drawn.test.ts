import { describe, expect, it } from "vitest";
import { seed, seedOf } from "../../packages/local-azure/common/test/seed.ts";
import { drawnWith, fc } from "../support/drawn.ts";

const drawn = (said?: string) => fc.sample(fc.string(), { ...drawnWith(seedOf(said)), numRuns: 20 });

describe("random test data", () => {
  it("is the same in every run", () => {
    expect(drawn()).toEqual(drawn());
    expect(drawn("")).toEqual(drawn());
  });

  it("depends on TEST_SEED, and is the same for the same seed", () => {
    expect(drawn("12345")).toEqual(drawn("12345"));
    expect(drawn("12345")).not.toEqual(drawn());
  });

  it("is new if TEST_SEED is random", () => {
    expect(drawn("random")).not.toEqual(drawn("random"));
  });

  it.each(["twelve", "1.5", "4294967296"])("is refused if TEST_SEED is %s", (said) => {
    expect(() => seedOf(said)).toThrow(`not ${said}.`);
  });

  it("has the seed of this run by default", () => {
    expect(fc.readConfigureGlobal()).toMatchObject({ seed });
    expect(fc.sample(fc.string(), 20)).toEqual(drawn(String(seed)));
  });

  it("can be reproduced by the command in a failure", async () => {
    const isSmall = (number: number) => expect(number).toBeLessThan(10);
    const failure =
      /\bTEST_SEED=-7\b.* npx vitest run test.unit.drawn\.test\.ts$|with TEST_SEED=-7 set: npx vitest run /;
    expect(() => fc.assert(fc.property(fc.nat(), isSmall), drawnWith(-7))).toThrow(failure);
    const later = fc.asyncProperty(fc.nat(), async (number) => isSmall(number));
    await expect(fc.assert(later, drawnWith(-7))).rejects.toThrow(failure);
  });
});
