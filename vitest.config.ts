import { defineConfig } from "vitest/config";
import { isDeployed } from "./test/deployed/deployed.ts";

/**
 * Most tests wait for other processes: more of them than there are cores may run at once, and none is in a hurry. A hook that gives up
 * while it starts a stack leaves that stack behind, so it outlasts every time-out of the start itself.
 */
const waiting = { maxWorkers: 6, testTimeout: 90_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

/** Where the black-box tests find the platform: a stack of their own, or with `npm run e2e` one that is deployed. */
const stack = isDeployed(process.env)
  ? { globalSetup: "test/deployed/setup.ts", runner: "test/deployed/runner.ts" }
  : { globalSetup: "test/support/running-stack.ts" };

/**
 * Six suites: `unit` needs nothing, `simulation` lives through a slice of the seeded worlds, `integration` starts parts of the
 * local cloud, `e2e` is black box on a running stack, `answers` holds what `e2e` was answered to the documents as a whole, and `live`
 * plays the live page in a browser.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...waiting,
          name: "unit",
          include: ["test/unit/**/*.test.ts", "infra/local/*/test/unit/**/*.test.ts"],
          isolate: false, // to load zod and the rest once in each worker: a unit test changes nothing that outlives it
        },
      },
      { test: { ...waiting, name: "simulation", include: ["test/simulation/**/*.test.ts"] } },
      {
        test: {
          ...waiting,
          name: "integration",
          include: ["test/integration/**/*.test.ts", "infra/local/*/test/integration/**/*.test.ts"],
          setupFiles: "test/support/disposable-stack.ts",
        },
      },
      {
        test: {
          ...waiting,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          ...stack,
          setupFiles: "test/support/hold-to-documents.ts",
          sequence: { groupOrder: 1 }, // after the others, which would slow its stack
        },
      },
      {
        test: {
          ...waiting,
          name: "answers",
          include: ["test/answers/**/*.test.ts"],
          sequence: { groupOrder: 2 }, // what the black-box tests were answered
        },
      },
      {
        test: {
          ...waiting,
          name: "live",
          include: ["test/live/**/*.test.ts"],
          setupFiles: "test/support/disposable-stack.ts",
          sequence: { groupOrder: 2 }, // a browser and a stack of its own would slow that of the black-box tests
        },
      },
    ],
  },
});
