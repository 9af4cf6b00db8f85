import * as z from "zod";
import { WrongSettings } from "../../ports/wrong-settings.ts";

const address = z.url({ protocol: /^https?$/ }).optional();

/** The standard settings of OpenTelemetry that the app itself reads. The exporter and the resource read theirs from the environment. */
const settings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal("http/protobuf").optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal("http/protobuf").optional(),
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().positive().default(5_000),
});

export interface TraceSettings {
  readonly sampler: z.infer<typeof settings>["OTEL_TRACES_SAMPLER"];
  /** The share of traces that a ratio sampler records, from 0 to 1. */
  readonly ratio: number;
  /** Milliseconds for which spans are collected before they are sent. */
  readonly batchDelayMs: number;
}

/**
 * Reads how the app is traced. Undefined if no address for traces is set, or tracing is switched off. An empty setting counts as absent.
 * Throws `WrongSettings` for wrong settings, because the SDK would send to another address instead.
 */
export function readTraceSettings(
  environment: Readonly<Record<string, string | undefined>>,
): TraceSettings | undefined {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(set);
  if (!parsed.success) {
    throw new WrongSettings(
      parsed.error.issues.map(({ path: [name] }) => ({ setting: String(name), reason: "is wrong" })),
    );
  }
  const env = parsed.data;
  const isAddressed = (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  if (!isAddressed || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  return {
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    batchDelayMs: env.OTEL_BSP_SCHEDULE_DELAY,
  };
}
