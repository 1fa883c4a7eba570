import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

export interface Sdk {
  /** All metrics as Prometheus text. */
  prometheusText(): Promise<string>;
  stop(): Promise<void>;
}

export interface SdkOptions {
  service: string;
  /** Where traces go (OTLP over HTTP); null: traces are not made. */
  otlpEndpoint: string | null;
}

/** Starts metrics, and traces when there is somewhere to send them. Once a process, before the application is made. */
export async function startSdk(options: SdkOptions): Promise<Sdk> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  const tracing =
    options.otlpEndpoint === null ? null : await startTracing(options.service, options.otlpEndpoint);
  const serializer = new PrometheusSerializer();
  return {
    prometheusText: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    stop: async () => {
      await tracing?.shutdown();
      await meters.shutdown();
      // A global provider is never replaced: the next one would be refused.
      for (const api of [metrics, trace, propagation, context]) api.disable();
    },
  };
}

// Loaded only when wanted: the tracing SDK is the largest thing a service would load at start.
async function startTracing(service: string, endpoint: string): Promise<{ shutdown(): Promise<void> }> {
  const [{ NodeSDK }, { OTLPTraceExporter }, { HttpInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/instrumentation-http'),
  ]);
  const sdk = new NodeSDK({
    serviceName: service,
    traceExporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    instrumentations: [new HttpInstrumentation()],
  });
  sdk.start();
  return sdk;
}
