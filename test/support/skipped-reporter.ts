import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node";
import { reasonIn, skippedLine } from "./skipped.ts";

/** Prints after vitest's own summary, in one line, why tests were skipped. It must be the last of the reporters. */
export default class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.getGlobalTestNamePattern()) return; // it skips the tests that the pattern does not match
    const skipped = modules.flatMap(({ children }) => [...children.allTests("skipped")]);
    if (skipped.length > 0) this.#vitest?.logger.log(skippedLine(skipped.map(reasonOf)));
  }
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  const around = suitesAround(test);
  if (around.some((suite) => suite.errors().length > 0)) return "what runs before them failed";
  return reasonIn([...around.flatMap((suite) => (suite.type === "suite" ? suite.name : [])), test.name]);
}

function suitesAround({ parent }: TestCase | TestSuite): (TestSuite | TestModule)[] {
  return parent.type === "suite" ? [...suitesAround(parent), parent] : [parent];
}
