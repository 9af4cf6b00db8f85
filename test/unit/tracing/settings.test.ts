import { expect, it } from "vitest";
import { readTraceSettings } from "../../../shared/adapters/tracing/settings.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318" };

it("the app is traced if an address for traces is set", () => {
  const standard = { sampler: "parentbased_always_on", ratio: 1, batchDelayMs: 5_000 };
  expect(readTraceSettings(ENDPOINT)).toEqual(standard);
  expect(readTraceSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/v1/traces" })).toEqual(
    standard,
  );
  const chosen = {
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };
  expect(readTraceSettings({ ...ENDPOINT, ...chosen })).toEqual({
    sampler: "parentbased_traceidratio",
    ratio: 0.1,
    batchDelayMs: 100,
  });
});

it.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
  { OTEL_SERVICE_NAME: "payments" },
  { ...ENDPOINT, OTEL_SDK_DISABLED: "true" },
  { ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" },
])("the app is not traced with %j", (environment) => {
  expect(readTraceSettings(environment)).toBeUndefined();
});

it.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "5ecret"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://5ecret"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_TRACES_SAMPLER", "5ecret"],
  ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ["OTEL_BSP_SCHEDULE_DELAY", "never"],
])("the app does not start with a wrong %s, and names the setting", (name, value) => {
  const start = () => readTraceSettings({ ...ENDPOINT, [name]: value });
  expect(start).toThrow(`these settings are missing or wrong: ${name}`);
  expect(start).not.toThrow(value);
});
