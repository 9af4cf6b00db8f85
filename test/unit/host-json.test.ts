import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import host from "../../host.json" with { type: "json" };
import example from "../../local.settings.example.json" with { type: "json" };

const levels: Readonly<Record<string, string>> = host.logging.logLevel;

it("lets through what the host says of calls only from warnings on", () => {
  expect(levels["default"]).toBe("Warning");
});

it("lets the lines of the process through, which the app prints", () => {
  expect(levels["Host.Function.Console"]).toBe("Information");
});

it("has no wildcard among its categories: the filter of Application Insights knows none", () => {
  expect(Object.keys(levels).filter((category) => category.includes("*"))).toEqual([]);
});

it("drops no line by sampling: a rare one may be an operator's alert", () => {
  const { samplingSettings } = host.logging.applicationInsights;
  expect(samplingSettings.excludedTypes.split(";")).toContain("Trace");
});

it("refuses no request that Azure gives to an instance", () => {
  const [, perInstance] =
    /perInstanceConcurrency: (\d+)/.exec(readFileSync("infra/azure/modules/functions.bicep", "utf8")) ?? [];
  const { maxConcurrentRequests, maxOutstandingRequests } = host.extensions.http;
  expect(maxConcurrentRequests).toBeGreaterThanOrEqual(2 * Number(perInstance));
  expect(maxOutstandingRequests).toBe(maxConcurrentRequests); // a request that waits holds up a terminal unseen
});

it("has no page of the host at the root, by the example of its settings", () => {
  expect(example.Values.AzureWebJobsDisableHomepage).toBe("true");
});
