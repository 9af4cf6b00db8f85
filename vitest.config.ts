import { defineConfig } from "vitest/config";

/** Three suites: `unit` needs nothing, `integration` starts parts of the local cloud, `e2e` is black box on a running stack. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { test: { name: "integration", include: ["test/integration/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "test/support/running-stack.ts",
          testTimeout: 30_000,
          maxWorkers: 3, // they mostly wait
          sequence: { groupOrder: 1 }, // after the others, which would slow its stack
        },
      },
    ],
  },
});
