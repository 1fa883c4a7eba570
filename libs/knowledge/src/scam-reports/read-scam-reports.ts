import { z, type FieldProblem, timeSchema } from '@casefile/contracts';
import {
  allEntries,
  errorProblems,
  readEntries,
  type KeepPage,
  type ReadEntry,
} from '../entries/read-entries.js';
import type { ScamReportInput } from './scam-report-base.js';

const count = z.coerce
  .number({ error: 'expected a number' })
  .int('expected a whole number')
  .min(0)
  .max(1_000_000_000);
const score = z.coerce
  .number({ error: 'expected a number' })
  .min(0, 'expected 0 to 100')
  .max(100, 'expected 0 to 100');
const lineSchema = z.strictObject({
  entityType: z.string().trim().min(1).max(64),
  entityValue: z.string().trim().min(1).max(2048),
  reportCount: count,
  riskScore: score,
  firstReportedAt: timeSchema.optional(),
  lastReportedAt: timeSchema.optional(),
  source: z.string().trim().min(1).max(200),
});

const PHONE = /^\+[1-9]\d{5,14}$/;
const NO_PHONE: FieldProblem = {
  path: 'entityValue',
  message: 'expected a phone number with its country code and no blanks (+14155550123)',
};

/** Types whose values ignore case. */
const CASELESS = ['email', 'domain'];

/**
 * Reads reports from CSV (with a header line) or JSON (an array). Keys may be in camelCase or snake_case; empty
 * ones count as left out.
 * @param source for reports that name none.
 * @returns the number of reports. @throws as `readEntries`.
 */
export function readScamReports(
  bytes: Buffer,
  source: string,
  keep: KeepPage<ScamReportInput>,
): Promise<number> {
  const read = (fields: Record<string, unknown>) => readReport({ source, ...fields });
  return readEntries(bytes, { what: 'file of scam reports', one: 'report', read }, keep);
}

/** Returns the reports of a small file. @throws as `readScamReports`. */
export function parseScamReports(text: string, source: string): Promise<ScamReportInput[]> {
  return allEntries((keep) => readScamReports(Buffer.from(text), source, keep));
}

function readReport(fields: Record<string, unknown>): ReadEntry<ScamReportInput> {
  const parsed = lineSchema.safeParse(fields);
  const problems = parsed.success ? [] : errorProblems(parsed.error, 'report');
  if (isWrongPhone(fields)) problems.push(NO_PHONE);
  if (!parsed.success || problems.length > 0) return { problems };
  const { entityType, entityValue } = parsed.data;
  const value = CASELESS.includes(entityType) ? entityValue.toLowerCase() : entityValue;
  return { value: { ...parsed.data, entityValue: value } };
}

// Checked separately, so that a wrong phone number is reported along with other problems of the line.
function isWrongPhone({ entityType, entityValue }: Record<string, unknown>): boolean {
  return entityType === 'phone' && typeof entityValue === 'string' && !PHONE.test(entityValue.trim());
}
