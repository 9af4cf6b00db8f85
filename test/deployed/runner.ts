import { TestRunner, type RunnerTask, type RunnerTestFile, type RunnerTestSuite } from "vitest";
import { readSettings, lacksOf } from "./settings.ts";
import { whyLeftOut, type Lack } from "./left-out.ts";
import { deployed } from "./deployed.ts";

/** Leaves out the tests that cannot run on a deployed platform, and the hooks of a suite without a remaining test. */
export default class LeavingOut extends TestRunner {
  async onBeforeRunFiles(files: RunnerTestFile[]): Promise<void> {
    const { settings } = deployed(process.env);
    const lacking = lacksOf(await readSettings(settings));
    for (const file of files) leaveOut(file, lacking);
  }
}

function leaveOut(suite: RunnerTestSuite, lacking: readonly Lack[]): void {
  for (const task of suite.tasks) {
    if (task.type === "suite") leaveOut(task, lacking);
    else if (whyLeftOut(task.file.filepath, fullName(task), lacking) !== undefined) task.mode = "skip";
  }
  if (suite.tasks.every(({ mode }) => mode === "skip")) suite.mode = "skip";
}

const fullName = ({ suite, name }: RunnerTask): string => (suite ? `${fullName(suite)} ${name}` : name);
