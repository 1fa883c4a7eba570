import { readFileSync } from 'node:fs';

/** The API document of the console, which this repository ships. */
const DOCUMENT = new URL('../../../../docs/openapi.json', import.meta.url);

/** JSON Schema of a field, as far as a command reads it. */
export interface FieldSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  description?: string;
  enum?: string[];
  default?: unknown;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  anyOf?: FieldSchema[];
  $ref?: string;
}

/** One field of a request. */
export interface Field {
  name: string;
  place: 'path' | 'query' | 'body';
  isRequired: boolean;
  description: string;
  schema: FieldSchema;
}

/** One operation of the API, as a command needs it. */
export interface Operation {
  id: string;
  tag: string;
  method: 'get' | 'post';
  /** Path below `/api/v1`, with parameters as `{name}`. */
  path: string;
  summary: string;
  fields: Field[];
  /** Whether the request has a body of JSON. */
  hasBody: boolean;
}

interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<'get' | 'post', DocumentedOperation>>>;
  components: { schemas: Record<string, FieldSchema> };
}

interface DocumentedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    description?: string;
    schema: FieldSchema;
  }[];
  requestBody?: { content: Record<string, { schema: FieldSchema }> };
}

/** The operations of the API in the order of the document, and the description of each tag. */
export interface Operations {
  operations: readonly Operation[];
  tags: ReadonlyMap<string, string>;
}

let known: Operations | undefined;

/** Returns the operations of the API. The document is read once. */
export const readOperations = (): Operations => (known ??= operationsOf());

function operationsOf(): Operations {
  const { paths, tags, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument;
  const resolved = ({ $ref, ...schema }: FieldSchema): FieldSchema =>
    $ref === undefined ? schema : { ...components.schemas[$ref.split('/').at(-1) ?? ''], ...schema };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) =>
      operationOf(method as Operation['method'], path, documented, resolved),
    ),
  );
  return { operations, tags: new Map(tags.map(({ name, description }) => [name, description])) };
}

function operationOf(
  method: Operation['method'],
  path: string,
  { operationId, tags: [tag], summary, parameters = [], requestBody }: DocumentedOperation,
  resolved: (schema: FieldSchema) => FieldSchema,
): Operation {
  const outside = parameters.flatMap(({ name, in: place, required = false, description, schema }) =>
    place === 'header' ? [] : [fieldOf(name, place, required, resolved(schema), description)],
  );
  const body = requestBody?.content['application/json'];
  const { properties = {}, required = [] } = body === undefined ? {} : resolved(body.schema);
  const inside = Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, 'body', required.includes(name), resolved(schema)),
  );
  const fields = [...outside, ...inside];
  return { id: operationId, tag, method, path, summary, fields, hasBody: body !== undefined };
}

function fieldOf(
  name: string,
  place: Field['place'],
  isRequired: boolean,
  schema: FieldSchema,
  description = schema.description ?? '',
): Field {
  return { name, place, isRequired, description, schema };
}
