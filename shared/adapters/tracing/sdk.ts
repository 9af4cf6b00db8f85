import { randomBytes } from "node:crypto";
import { context, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { TraceSettings } from "./settings.ts";

// The only file that imports the SDK. It is loaded only if traces are sent.

export interface SdkOptions {
  readonly settings: TraceSettings;
  /** Resource attributes of this process. The standard settings may add to them, and replace them. */
  readonly resource: Readonly<Record<string, string>>;
  /** Receives the error of each batch that could not be sent. Its spans are lost. */
  readonly troubled: (error: unknown) => void;
}

/** Registers the SDK with the API. The returned function sends the remaining spans and shuts the SDK down. */
export function startSdk({ settings, resource, troubled }: SdkOptions): () => Promise<void> {
  const named = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const exporter = reportingFailures(new OTLPTraceExporter(), troubled);
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: defaultResource().merge(resourceFromAttributes(resource)).merge(named),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.batchDelayMs })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

/**
 * Returns the sampler of the settings. A parent-based sampler decides on a request as on a new trace. The caller therefore cannot choose
 * what is recorded, neither by the flag nor by the trace's identifier. Everything that the request causes follows that decision.
 */
export function samplerOf({ sampler, ratio }: Pick<TraceSettings, "sampler" | "ratio">): Sampler {
  const root = rootSampler(sampler, ratio);
  if (!sampler.startsWith("parentbased")) return root;
  const byParent = new ParentBasedSampler({ root });
  return {
    shouldSample(...given) {
      const [, , name, kind, ...rest] = given;
      return kind === SpanKind.SERVER
        ? root.shouldSample(ROOT_CONTEXT, randomBytes(16).toString("hex"), name, kind, ...rest)
        : byParent.shouldSample(...given);
    },
    toString: () => `requests begin, and others follow: ${root.toString()}`,
  };
}

function rootSampler(sampler: TraceSettings["sampler"], ratio: number): Sampler {
  if (sampler.endsWith("traceidratio")) return new TraceIdRatioBasedSampler(ratio);
  return sampler.endsWith("always_on") ? new AlwaysOnSampler() : new AlwaysOffSampler();
}

/** Reports failed batches of the exporter. The SDK itself would drop a failed batch silently. */
const reportingFailures = (exporter: SpanExporter, troubled: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) troubled(result.error);
      done(result);
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
});
