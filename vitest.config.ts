import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isDeployed } from "./test/deployed/deployed.ts";

/** The files that take longest, the slowest first: begun last, they would run alone. Any other file of the suite begins after these. */
const slow: Readonly<Record<string, readonly string[]>> = {
  e2e: ["deadlines", "catching-up", "charges", "troubles", "terminals", "consumer"],
  integration: ["integration/alerts", "logs-and-health", "dead-letters", "backend-pages", "gateway/partners"],
  operations: ["mail-again", "rotations", "restore"],
  tools: ["sandbox", "kept-data", "catch-mutant"],
  browser: ["playing", "mails", "landing-page"],
  unit: ["tracing/tracing", "openapi/documents"],
};

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = slow[project.name]?.findIndex((name) => moduleId.includes(name)) ?? -1;
      return at < 0 ? files.length : at;
    };
    const projects = Object.keys(suites);
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return files.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b));
  }
}

/** Where the black-box tests find the platform: a stack of their own, or with `npm run e2e` one that is deployed. */
const stack = isDeployed(process.env)
  ? { globalSetup: "test/deployed/setup.ts", runner: "test/deployed/runner.ts" }
  : { globalSetup: "test/support/running-stack.ts" };

/** Waits give up after 20 s or a minute and say for what. A test's own time-out only ends what hangs without a wait. */
const timeOuts = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 20_000 } } };

/**
 * The suites, in groups that run one after the other. The first wait for other processes, so there are more workers than cores. A hook
 * that gives up while it starts a stack leaves that stack behind, so its time-out is longer than any of a start.
 */
const oneStack = { ...timeOuts, maxWorkers: 6 };
const ownParts = { ...timeOuts, maxWorkers: 3, sequence: { groupOrder: 1 } };
const computing = { ...timeOuts, maxWorkers: availableParallelism(), sequence: { groupOrder: 2 } };

const isNode22 = process.versions.node.startsWith("22.");
/** Node 22 cannot parse `using`: vite rewrites it, and a global stands in. Newer ones run the sources as they are, in half the time. */
const standIns = isNode22 ? ["test/support/disposable-stack.ts"] : [];
/** Node 24 keeps asynchronous contexts in frames. Without them each promise of a test that logs costs Node 22 three times as much. */
const execArgv = isNode22 ? ["--experimental-async-context-frame"] : [];

/** docs/testing.md says what each proves. `npm test` runs some of them, `npm run test:all` runs all. */
const suites = {
  e2e: { ...oneStack, ...stack, setupFiles: [...standIns, "test/support/hold-to-documents.ts"] },
  integration: { ...ownParts, globalSetup: "test/support/shared-azurite.ts" },
  operations: ownParts,
  tools: ownParts,
  browser: ownParts,
  emulators: { ...ownParts, include: ["packages/local-azure/*/test/**/*.test.ts"] },
  answers: computing, // what `e2e` was answered
  unit: computing,
  simulation: computing,
};

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    reporters: ["default", "./test/support/skipped-reporter.ts"],
    projects: Object.entries(suites).map(([name, suite]) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`, `packages/*/test/${name}/**/*.test.ts`],
        isolate: false, // a test changes nothing that outlives it, and modules load once for each worker
        experimental: { viteModuleRunner: isNode22 },
        execArgv,
        setupFiles: standIns,
        ...suite,
      },
    })),
  },
});
