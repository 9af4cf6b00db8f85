import { expect, it } from "vitest";
import { welcome, type Started } from "../../start/welcome.ts";
import { stateFolder } from "../../../../infra/tools/packed.ts";
import { sampleStack } from "../browser/sample-stack.ts";

const started: Started = {
  seconds: "4.0",
  directory: stateFolder,
  data: "All data is in memory.",
  notes: [],
  isOffered: false,
  log: "",
  hasDetails: false,
};

it("says in a few lines where to look, what to type, and how to end it", () => {
  const lines = welcome(sampleStack, started, "linux").split("\n");
  expect(lines.filter((line) => line !== "").map((line) => line.trim().split("  ")[0])).toEqual([
    "The payment platform is running (ready in 4.0 s). All data is in memory.",
    "Live page",
    "Reference",
    "A first payment",
    "Your settings",
    "Everything else",
    "Ctrl-C ends it.",
  ]);
});

it.each([
  ["linux", true],
  ["win32", false],
] as const)("with details on %s, a request for a POSIX shell is shown: %s", (platform, hasCurl) => {
  const text = welcome(sampleStack, { ...started, hasDetails: true }, platform);
  expect(text).toContain("npm run try");
  expect(text).toContain(sampleStack.demo.apikey);
  expect(text.includes("curl ")).toBe(hasCurl);
});
