import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  ignoredAlertSchema,
  alertInputSchema,
  alertSchema,
  artifactRecordSchema,
  caseListEntrySchema,
  caseListSchema,
  deadLetterListSchema,
  deadLetterResultsSchema,
  deadLetterSchema,
  eventRecordSchema,
  evidenceItemSchema,
  imageSchema,
  interactionSchema,
  jsonObjectSchema,
  jsonSchema,
  laneFiguresSchema,
  metaSchema,
  pipelineViewSchema,
  playbookListSchema,
  policyDocumentSchema,
  policyListSchema,
  policyNodeSchema,
  policySectionSchema,
  policySectionsSchema,
  policyVersionSchema,
  problemSchema,
  queueListSchema,
  recordedFeedbackSchema,
  recordedReportsSchema,
  reportedFeedbackSchema,
  runCostSchema,
  runSettingsSchema,
  shownAlertSchema,
  shownCaseSchema,
  shownRunSchema,
  toolCallSchema,
  verdictBriefSchema,
  verdictSchema,
  z,
} from '@casefile/contracts';

/** A schema as JSON. */
export type JsonSchema = Record<string, unknown>;

/** Schemas of answers, by their names in generated clients. */
const ANSWER_SCHEMAS: Record<string, z.ZodType> = {
  Json: jsonSchema,
  JsonObject: jsonObjectSchema,
  Problem: problemSchema,
  RecordedFeedback: recordedFeedbackSchema,
  RecordedReports: recordedReportsSchema,
  Meta: metaSchema,
  CaseList: caseListSchema,
  CaseListEntry: caseListEntrySchema,
  Case: shownCaseSchema,
  Run: shownRunSchema,
  RunSettings: runSettingsSchema,
  RunCost: runCostSchema,
  Alert: alertSchema,
  ShownAlert: shownAlertSchema,
  EvidenceItem: evidenceItemSchema,
  Artifact: artifactRecordSchema,
  ToolCall: toolCallSchema,
  Interaction: interactionSchema,
  Event: eventRecordSchema,
  Verdict: verdictSchema,
  VerdictBrief: verdictBriefSchema,
  AcceptedAlert: acceptedAlertSchema,
  AcceptedBatch: acceptedBatchSchema,
  IgnoredAlert: ignoredAlertSchema,
  PlaybookList: playbookListSchema,
  PipelineView: pipelineViewSchema,
  LaneFigures: laneFiguresSchema,
  PolicyList: policyListSchema,
  PolicyVersion: policyVersionSchema,
  PolicyDocument: policyDocumentSchema,
  PolicyNode: policyNodeSchema,
  PolicySection: policySectionSchema,
  PolicySections: policySectionsSchema,
  DeadLetter: deadLetterSchema,
  DeadLetterList: deadLetterListSchema,
  QueueList: queueListSchema,
  DeadLetterResults: deadLetterResultsSchema,
};

/** Schemas of requests. They differ from those of answers, because a field with a default may be omitted. */
const REQUEST_SCHEMAS: Record<string, z.ZodType> = {
  Json: jsonSchema,
  JsonObject: jsonObjectSchema,
  AlertInput: alertInputSchema,
  ReportedFeedback: reportedFeedbackSchema,
  AlertImage: imageSchema,
};

/** Returns the reference to a named schema. */
export const refTo = (name: string): string => `#/components/schemas/${name}`;

/**
 * Converts zod schemas into JSON Schema with references to named schemas. Requests and answers are separate.
 */
export class Schemas {
  private readonly components = {
    input: tableComponents(REQUEST_SCHEMAS, 'input'),
    output: tableComponents(ANSWER_SCHEMAS, 'output'),
  };

  requestSchema(schema: z.ZodType): JsonSchema {
    return inDocument(schema, REQUEST_SCHEMAS, 'input');
  }

  answerSchema(schema: z.ZodType): JsonSchema {
    return inDocument(schema, ANSWER_SCHEMAS, 'output');
  }

  /**
   * Returns the named schemas that `paths` refers to, directly or indirectly, in the order of their names.
   */
  used(paths: JsonSchema): Record<string, JsonSchema> {
    const all: Record<string, JsonSchema> = { ...this.components.input, ...this.components.output };
    const names = new Set<string>();
    const look = (within: unknown): void => {
      for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (name === undefined || names.has(name)) continue;
        names.add(name);
        look(all[name]);
      }
    };
    look(paths);
    return Object.fromEntries([...names].sort().map((name) => [name, all[name] ?? {}]));
  }
}

type Direction = 'input' | 'output';

function tableComponents(table: Record<string, z.ZodType>, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(table)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, override });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIds(schema)]));
}

// Returns a reference for a named schema, and otherwise the schema with references to named ones.
function inDocument(schema: z.ZodType, table: Record<string, z.ZodType>, io: Direction): JsonSchema {
  const name = Object.entries(table).find(([, one]) => one === schema)?.[0];
  if (name !== undefined) return { $ref: refTo(name) };
  const { $defs: _named, ...rest } = z.toJSONSchema(schema, { io, metadata: namedIn(table), override });
  return namedRefs(withoutIds(rest)) as JsonSchema;
}

/** Replaces the references of a schema by those to the named schemas of the document. */
function namedRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedRefs);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === '$ref' && typeof inner === 'string' ? inner.replace('#/$defs/', refTo('')) : namedRefs(inner),
  ]);
  return Object.fromEntries(entries);
}

/** Descriptions of schemas, with the names of those in a table. */
function namedIn(table: Record<string, z.ZodType>): typeof z.globalRegistry {
  const named = z.registry<z.core.GlobalMeta>();
  for (const [id, schema] of Object.entries(table)) named.add(schema, { id });
  const own = named.get.bind(named);
  const described = (schema: z.core.$ZodType) => z.globalRegistry.get(schema);
  return Object.assign(named, {
    get: ((schema) =>
      named.has(schema) || described(schema) !== undefined
        ? { ...own(schema), ...described(schema) }
        : undefined) as typeof own,
  });
}

function withoutIds({ $schema: _dialect, $id: _id, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

// No schema of an answer is closed, because answers gain fields over time. Facts that JSON or the format
// implies are omitted: keys are texts, the range of safe integers, the pattern of a date.
/** Simplifies zod's output. */
export function override({
  zodSchema,
  jsonSchema: schema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: JsonSchema;
}): void {
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames'];
  if (schema['format'] === 'date' || schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  const isClosed = zodSchema instanceof z.ZodObject && zodSchema.def.catchall instanceof z.ZodNever;
  if (schema['additionalProperties'] === false && !isClosed) delete schema['additionalProperties'];
}
