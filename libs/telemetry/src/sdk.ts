import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { prometheusName } from './metric-info.js';

export interface Sdk {
  /**
   * Returns the metrics of the process as Prometheus text. Of several services in one process one has them all, so that a sum
   * over services counts nothing twice; the others have a comment.
   */
  prometheusText(service?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface SdkOptions {
  /** The name of the process, as `service.name`. */
  service: string;
  /** The service whose address has the metrics of the process. Default: each of them. */
  metricsOf?: string;
  /** Where traces go (OTLP over HTTP); null: traces are not made. */
  otlpEndpoint: string | null;
}

/** Starts metrics, and traces when there is somewhere to send them. Once a process, before the application is made. */
export async function startSdk(options: SdkOptions): Promise<Sdk> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': options.service }));
  const meters = new MeterProvider({ readers: [reader], resource });
  metrics.setGlobalMeterProvider(meters);
  const tracing =
    options.otlpEndpoint === null ? null : await startTracing(options.service, options.otlpEndpoint);
  const serializer = new PrometheusSerializer();
  return {
    prometheusText: async (service) => {
      const { metricsOf } = options;
      if (service !== undefined && metricsOf !== undefined && service !== metricsOf)
        return `# The metrics of this process are at the address of the service ${metricsOf}.\n`;
      return serializer.serialize(inPrometheusNames((await reader.collect()).resourceMetrics));
    },
    stop: async () => {
      await tracing?.shutdown();
      await meters.shutdown();
      // A global provider is never replaced: the next one would be refused.
      for (const api of [metrics, trace, propagation, context]) api.disable();
    },
  };
}

// The exporter leaves the unit out of the name.
function inPrometheusNames(all: ResourceMetrics): ResourceMetrics {
  const renamed = (metric: MetricData): MetricData => {
    const { name, unit } = metric.descriptor;
    return { ...metric, descriptor: { ...metric.descriptor, name: prometheusName(name, unit) } };
  };
  return {
    ...all,
    scopeMetrics: all.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(renamed) })),
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
