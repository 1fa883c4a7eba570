import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A sent span, with the fields that a person needs. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  /** Kind of span by its OTLP number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  service: string;
  /** Version of the conventions that the span's names follow. */
  schemaUrl: string | null;
  startNano: bigint;
  endNano: bigint;
  attributes: Record<string, unknown>;
  links: string[];
}

export interface Collector {
  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: SentSpan[];
  close(): Promise<void>;
}

/**
 * Starts a collector for traces over OTLP/HTTP with JSON. It implements only the needed part of the protocol.
 */
export async function startCollector(): Promise<Collector> {
  const spans: SentSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Export {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { schemaUrl?: string; spans: OtlpSpan[] }[];
  }[];
}
interface KeyValue {
  key: string;
  value: Value;
}
interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  links?: { traceId: string }[];
}

function spansOf({ resourceSpans }: Export): SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(plain(resource.attributes)['service.name'] ?? '');
    return scopeSpans.flatMap(({ schemaUrl = null, spans }) =>
      spans.map((span) => ({ ...sentSpan(span), service, schemaUrl })),
    );
  });
}

function sentSpan(span: OtlpSpan): Omit<SentSpan, 'service' | 'schemaUrl'> {
  const { traceId, spanId, parentSpanId = '', name, kind, links = [] } = span;
  return {
    traceId,
    spanId,
    name,
    kind,
    parentSpanId: parentSpanId === '' ? null : parentSpanId,
    startNano: BigInt(span.startTimeUnixNano),
    endNano: BigInt(span.endTimeUnixNano),
    attributes: plain(span.attributes),
    links: links.map((link) => link.traceId),
  };
}

function plain(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plainValue);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}
