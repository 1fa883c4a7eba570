import {
  acceptedAlertSchema,
  acceptedBatchSchema,
  acceptedPostSchema,
  alertInputSchema,
  alertSchema,
  artifactRecordSchema,
  caseListEntrySchema,
  caseListSchema,
  caseSummarySchema,
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

/** What answers hold, by the names that generated clients get. */
const ANSWERED: Record<string, z.ZodType> = {
  Json: jsonSchema,
  JsonObject: jsonObjectSchema,
  Problem: problemSchema,
  Meta: metaSchema,
  CaseList: caseListSchema,
  CaseListEntry: caseListEntrySchema,
  CaseSummary: caseSummarySchema,
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
  AcceptedPost: acceptedPostSchema,
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

/** What requests hold: a field with a default need not be sent, so these are other shapes than those of answers. */
const ASKED: Record<string, z.ZodType> = {
  Json: jsonSchema,
  JsonObject: jsonObjectSchema,
  AlertInput: alertInputSchema,
  AlertImage: imageSchema,
};

/** How a schema refers to a named one. */
export const refTo = (name: string): string => `#/components/schemas/${name}`;

/** Turns zod schemas into JSON Schema that refers to named ones; the two directions apart. */
export class Schemas {
  private readonly named = { input: componentsOf(ASKED, 'input'), output: componentsOf(ANSWERED, 'output') };

  asked(schema: z.ZodType): JsonSchema {
    return inDocument(schema, ASKED, 'input');
  }

  answered(schema: z.ZodType): JsonSchema {
    return inDocument(schema, ANSWERED, 'output');
  }

  /** The named ones that `paths` refers to, and those that these refer to, in the order of their names. */
  used(paths: JsonSchema): Record<string, JsonSchema> {
    const all: Record<string, JsonSchema> = { ...this.named.input, ...this.named.output };
    const found = new Set<string>();
    const look = (within: unknown): void => {
      for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (name === undefined || found.has(name)) continue;
        found.add(name);
        look(all[name]);
      }
    };
    look(paths);
    return Object.fromEntries([...found].sort().map((name) => [name, all[name] ?? {}]));
  }
}

type Direction = 'input' | 'output';

function componentsOf(table: Record<string, z.ZodType>, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(table)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: refTo, override });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIds(schema)]));
}

// A schema that has a name is a reference; another one is written out, with references to those that have one.
function inDocument(schema: z.ZodType, table: Record<string, z.ZodType>, io: Direction): JsonSchema {
  const name = Object.entries(table).find(([, one]) => one === schema)?.[0];
  if (name !== undefined) return { $ref: refTo(name) };
  return componentsOf({ ...table, Here: schema }, io)['Here'] ?? {};
}

function withoutIds({ $schema: _dialect, $id: _id, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

// Fields are added to answers in time, so none is closed. What JSON or the format says already is left out: that keys
// are texts, which whole numbers are safe, how a date is written.
/** Evens out what zod writes. */
export function override({
  zodSchema,
  jsonSchema: made,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: JsonSchema;
}): void {
  if (JSON.stringify(made['propertyNames']) === '{"type":"string"}') delete made['propertyNames'];
  if (made['format'] === 'date' || made['format'] === 'date-time') delete made['pattern'];
  if (made['minimum'] === Number.MIN_SAFE_INTEGER) delete made['minimum'];
  if (made['maximum'] === Number.MAX_SAFE_INTEGER) delete made['maximum'];
  const isClosed = zodSchema instanceof z.ZodObject && zodSchema.def.catchall instanceof z.ZodNever;
  if (made['additionalProperties'] === false && !isClosed) delete made['additionalProperties'];
}
