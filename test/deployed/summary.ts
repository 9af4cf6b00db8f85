import { reasonIn } from "../support/skipped.ts";
import { whyLeftOut, type Lack } from "./left-out.ts";

/** The members that this file reads of vitest's report. */
export interface TestReport {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** The tests that ran, and the left-out tests by reason. A run without a passed test proves nothing, so it fails. */
export function summaryOf(
  { testResults }: TestReport,
  lacking: readonly Lack[],
): { lines: string[]; isPassed: boolean } {
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      status,
      why: whyLeftOut(file, [...ancestorTitles, title].join(" "), lacking) ?? reasonIn([...ancestorTitles, title]),
    })),
  );
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const [passed, failed] = [count("passed"), count("failed")];
  const others = tests.filter(({ status }) => status !== "passed" && status !== "failed");
  const reasons = Map.groupBy(others, ({ why }) => why ?? "no reason given");
  return {
    lines: [
      `${tests.length} tests: ${passed} passed, ${failed} failed, ${others.length} left out`,
      ...[...reasons].map(([why, left]) => `  ${String(left.length).padStart(4)}  ${why}`),
      ...(passed === 0 ? ["nothing was proven: no test passed"] : []),
    ],
    isPassed: failed === 0 && passed > 0,
  };
}
