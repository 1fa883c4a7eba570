import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { defaultResource, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { prometheusName } from './metric-info.js';

export interface Sdk {
  /**
   * Returns the metrics of the process as Prometheus text. If a process has several services, only one of
   * them returns metrics, so that a sum over services counts nothing twice. The others return a comment.
   */
  prometheusText(service?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface SdkOptions {
  /** Name of the process, as `service.name`. */
  service: string;
  /** Version of Casefile, as `service.version`. */
  version: string;
  /** Id of this process, as `service.instance.id`. */
  instanceId: string;
  /** The service whose port serves the metrics of the process. Default: every service. */
  metricsOf?: string;
  /** Destination of traces (OTLP over HTTP); null: no traces. */
  otlpEndpoint: string | null;
}

/**
 * Starts metrics, and traces if there is a destination. Call it once per process, before the application is
 * created.
 */
export async function startSdk(options: SdkOptions): Promise<Sdk> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': options.service,
      'service.version': options.version,
      'service.instance.id': options.instanceId,
    }),
  );
  const meters = new MeterProvider({ readers: [reader], resource });
  metrics.setGlobalMeterProvider(meters);
  const tracing = options.otlpEndpoint === null ? null : await startTracing(resource, options.otlpEndpoint);
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
      // OpenTelemetry refuses to replace a global provider, so the old one is removed first.
      for (const api of [metrics, trace, propagation, context]) api.disable();
    },
  };
}

// Adds the unit to the names, because the exporter omits it.
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

/** Paths of probes and scrapes, which come every few seconds and belong to no case. */
const PROBES = /^\/(?:health\/|metrics$)/;

// Loaded only if needed, because the tracing SDK would be the largest module at start.
async function startTracing(resource: Resource, endpoint: string): Promise<{ shutdown(): Promise<void> }> {
  const [{ NodeSDK }, { OTLPTraceExporter }, { HttpInstrumentation }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/instrumentation-http'),
  ]);
  const sdk = new NodeSDK({
    resource,
    traceExporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url = '' }) => PROBES.test(url) }),
    ],
  });
  sdk.start();
  return sdk;
}
