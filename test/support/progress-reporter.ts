import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Prints a line for each test file that ends. The summary of the whole run has the failures. */
export default class ProgressReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const mark = module.ok() ? "✓" : "✗";
    const seconds = (module.diagnostic().duration / 1_000).toFixed(1);
    process.stdout.write(`${mark} ${relative("", module.moduleId)} ${seconds} s\n`);
  }
}
