import { ROOT_CONTEXT, SpanKind } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace";
import { expect, it } from "vitest";
import { samplerOf } from "../../../shared/adapters/tracing/sdk.ts";
import { contextOf } from "../../../shared/adapters/tracing/trace-context.ts";

const [LOW, HIGH] = ["0".repeat(31) + "1", "f".repeat(32)];

/** How many of a thousand spans with this parent are recorded. */
const recorded = (sampler: ReturnType<typeof samplerOf>, kind: SpanKind, traceId: string, flags?: string) =>
  Array.from({ length: 1_000 }, () => {
    const parent = flags === undefined ? ROOT_CONTEXT : contextOf(`00-${traceId}-00f067aa0ba902b7-${flags}`);
    return sampler.shouldSample(parent, traceId, "a span", kind, {}, []).decision;
  }).filter((decision) => decision === SamplingDecision.RECORD_AND_SAMPLED).length;

it.each([
  [LOW, "00"],
  [LOW, "01"],
  [HIGH, "00"],
  [HIGH, "01"],
  [HIGH, undefined],
])("a caller does not decide whether its request is recorded: trace %s, flag %s", (traceId, flags) => {
  const half = samplerOf({ sampler: "parentbased_traceidratio", ratio: 0.5 });
  const count = recorded(half, SpanKind.SERVER, traceId, flags);
  expect(count).toBeGreaterThan(350);
  expect(count).toBeLessThan(650);
  const all = samplerOf({ sampler: "parentbased_always_on", ratio: 1 });
  expect(recorded(all, SpanKind.SERVER, traceId, flags)).toBe(1_000);
});

it("everything that a request causes follows the request's own decision", () => {
  const sampler = samplerOf({ sampler: "parentbased_traceidratio", ratio: 0.5 });
  for (const kind of [SpanKind.CONSUMER, SpanKind.CLIENT, SpanKind.INTERNAL]) {
    expect(recorded(sampler, kind, HIGH, "01")).toBe(1_000);
    expect(recorded(sampler, kind, LOW, "00")).toBe(0);
  }
});
