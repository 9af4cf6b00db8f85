import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import host from "../../host.json" with { type: "json" };
import example from "../../local.settings.example.json" with { type: "json" };

const levels: Readonly<Record<string, string>> = host.logging.logLevel;

it("passes the host's log lines of calls only from warnings on", () => {
  expect(levels["default"]).toBe("Warning");
});

it("passes the lines of the process, which the app prints", () => {
  expect(levels["Host.Function.Console"]).toBe("Information");
});

it("has no wildcard among its categories, because the filter of Application Insights supports none", () => {
  expect(Object.keys(levels).filter((category) => category.includes("*"))).toEqual([]);
});

it("drops no line by sampling, because a rare one may be an operator's alert", () => {
  const { samplingSettings } = host.logging.applicationInsights;
  expect(samplingSettings.excludedTypes.split(";")).toContain("Trace");
});

it("refuses no request that Azure gives to an instance", () => {
  const [, perInstance] =
    /perInstanceConcurrency: (\d+)/.exec(readFileSync("infra/azure/modules/functions.bicep", "utf8")) ?? [];
  const { maxConcurrentRequests, maxOutstandingRequests } = host.extensions.http;
  expect(maxConcurrentRequests).toBeGreaterThanOrEqual(2 * Number(perInstance));
  expect(maxOutstandingRequests).toBe(maxConcurrentRequests); // a waiting request would delay a terminal unnoticed
});

it("has no host page at the root, by the example of its settings", () => {
  expect(example.Values.AzureWebJobsDisableHomepage).toBe("true");
});
