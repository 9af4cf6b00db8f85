import { context, trace } from "@opentelemetry/api";
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

// The only file that imports the SDK. It is loaded where traces are sent, and nowhere else.

export interface SdkOptions {
  readonly settings: TraceSettings;
  /** Resource attributes of this process. The standard settings may add to them, and replace them. */
  readonly resource: Readonly<Record<string, string>>;
  /** Receives the error of each batch that could not be sent. Its spans are lost. */
  readonly troubled: (error: unknown) => void;
}

/** Registers the SDK with the API. What it returns sends the spans that were not sent yet, and ends the SDK. */
export function startSdk({ settings, resource, troubled }: SdkOptions): () => Promise<void> {
  const named = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const exporter = heard(new OTLPTraceExporter(), troubled);
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: defaultResource().merge(resourceFromAttributes(resource)).merge(named),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.batchDelayMs })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = (): Sampler => {
    if (sampler.endsWith("traceidratio")) return new TraceIdRatioBasedSampler(ratio);
    return sampler.endsWith("always_on") ? new AlwaysOnSampler() : new AlwaysOffSampler();
  };
  return sampler.startsWith("parentbased") ? new ParentBasedSampler({ root: root() }) : root();
}

/** The same exporter. The SDK itself would drop a failed batch without a word. */
const heard = (exporter: SpanExporter, troubled: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) troubled(result.error);
      done(result);
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
});
