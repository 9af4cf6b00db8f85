import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `npm test` and `npm run test:all`: two processes of vitest in parallel, and one summary. The black-box tests mostly wait and have
// deadlines, so they have priority. The computing tests use the remaining cores. With any argument except a reporter, one process runs the
// named tests. `--product` leaves out the emulators, which have their own step in .ci/run.

const [first, ...words] = process.argv.slice(2);
const others = words.filter((word) => word !== "--product");
const isEverything = first === "--all";
const args = isEverything || first === undefined ? others : [first, ...others];
const reporting = args.filter((arg) => /^--(reporter|outputFile)\b/.test(arg));

const groups = [
  ["e2e", "answers"],
  [
    "integration",
    ...(isEverything ? ["operations", "tools", "browser", ...(words.includes("--product") ? [] : ["emulators"])] : []),
    "unit",
    "simulation",
  ],
];
const inProjects = (names: readonly string[]) => names.flatMap((name) => ["--project", name]);

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const endWithParent = new URL("../packages/workbench/stack/end-with-parent.ts", import.meta.url).href;

let isInterrupted = false;

/** Runs vitest to its end. Resolves with whether all tests passed. */
async function run(words: readonly string[], priority: number): Promise<boolean> {
  const child = spawn(process.execPath, ["--import", endWithParent, vitest, "run", ...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  const stop = () => {
    isInterrupted = true;
    child.kill("SIGINT");
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await once(child, "close");
  process.off("SIGINT", stop).off("SIGTERM", stop);
  return child.exitCode === 0;
}

const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL } = constants.priority;

async function sideBySide(): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), "test-"));
  try {
    const ran = await Promise.all(
      groups.map((names, i) =>
        run(
          [
            ...inProjects(names),
            "--reporter=./test/support/progress-reporter.ts",
            "--reporter=blob",
            `--outputFile.blob=${join(directory, `${i}.json`)}`,
          ],
          i === 0 ? PRIORITY_NORMAL : PRIORITY_BELOW_NORMAL,
        ),
      ),
    );
    if (isInterrupted) return false;
    const reporters =
      reporting.length > 0 ? reporting : ["--reporter=minimal", "--reporter=./test/support/skipped-reporter.ts"];
    const summed = await run([`--mergeReports=${directory}`, ...reporters], PRIORITY_NORMAL);
    return summed && ran.every(Boolean);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const isWell =
  reporting.length === args.length
    ? await sideBySide()
    : await run([...inProjects(groups.flat()), ...args], PRIORITY_NORMAL);
process.exitCode = isWell ? 0 : 1;
