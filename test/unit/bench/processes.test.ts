import { describe, expect, it } from "vitest";
import { cpuBetween, cpuMsOf, memoryOf } from "../../bench/processes.ts";

describe("what a process has used", () => {
  it("is its user and system time, whatever its name is", () => {
    expect(cpuMsOf("17 (node (a) 1 2) S 1 2 3 4 5 6 7 8 9 10 250 50 99 99 20 0")).toBe(3_000);
  });

  it("is refused where a line tells no times", () => {
    expect(() => cpuMsOf("17 (node) S 1")).toThrow("no times of a process");
  });

  it("is its resident memory", () => {
    expect(memoryOf("Name:\tnode\nVmRSS:\t    1000 kB\nVmData:\t 7 kB\n")).toBe(1_024_000);
    expect(() => memoryOf("Name:\tnode\n")).toThrow("no memory of a process");
  });

  it("between two looks is told by part, and from its start where the part is new", () => {
    const used = (cpuMs: number) => ({ cpuMs, memoryBytes: 0 });
    const before = { gateway: used(100) };
    expect(cpuBetween(before, { gateway: used(350), tables: used(40) })).toEqual({ gateway: 250, tables: 40 });
  });
});
