import { describe, expect, it } from "vitest";
import { packageOf, selfTimes, sourcesOf, type CpuProfile } from "../../bench/self-times.ts";

const bundle = ["start", "// shared/config.ts", "a", "// ../node_modules/@azure/core/index.js", "b", "c"].join("\n");
const node = (id: number, functionName: string, url = "", lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

describe("where a process's time goes", () => {
  it("is told by the packages of a bundle, without what was idle, the longest first", () => {
    const profile: CpuProfile = {
      nodes: [
        node(1, "(idle)"),
        node(2, "readConfig", "file:///dist/app.cjs", 2),
        node(3, "send", "file:///dist/app.cjs", 5),
        node(4, "(garbage collector)"),
        node(5, "emit", "node:events", 7),
      ],
      samples: [2, 1, 3, 4, 3, 5, 1],
      timeDeltas: [0, 2_000, 9_000, 1_000, 3_000, 4_000, 500],
    };
    expect(selfTimes(profile, (url) => url.endsWith("/app.cjs"), sourcesOf(bundle))).toEqual([
      { name: "@azure/core", ms: 5 },
      { name: "(garbage collector)", ms: 3 },
      { name: "product", ms: 2 },
      { name: "node", ms: 0.5 },
    ]);
  });

  it.each([
    ["node:internal/timers", "node"],
    ["file:///w/node_modules/@azure/functions/dist/index.js", "@azure/functions"],
    ["file:///w/node_modules/a/node_modules/b/index.js", "b"],
    ["file:///w/infra/local/functions-host/host.ts", "local host"],
    ["shared/http/response.ts", "product"],
    ["functions/app.ts", "product"],
  ])("calls %s %s", (path, name) => {
    expect(packageOf(path)).toBe(name);
  });
});
