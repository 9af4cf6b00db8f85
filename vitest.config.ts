import { defineConfig } from "vitest/config";

/**
 * Most tests wait for other processes: more of them than there are cores may run at once, and none is in a hurry. A hook that gives up
 * while it starts a stack leaves that stack behind, so it outlasts every time-out of the start itself.
 */
const waiting = { maxWorkers: 6, testTimeout: 90_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

/**
 * Five suites: `unit` needs nothing, `simulation` lives through a slice of the seeded worlds, `integration` starts parts of the
 * local cloud, `e2e` is black box on a running stack, and `answers` holds what `e2e` was answered to the documents as a whole.
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
          globalSetup: "test/support/running-stack.ts",
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
    ],
  },
});
