import {
  fieldProblems,
  parseInput,
  z,
  type Alert,
  type AlertInput,
  type FieldProblem,
} from '@casefile/contracts';
import type { PreparedPayload } from '@casefile/pipeline';

const sideCm = z.number({ error: 'expected centimetres' }).positive().max(10_000);
export const parcelSchema = z.object({
  contents: z.string({ error: 'expected what is in it' }).min(1).max(500),
  sidesCm: z.array(sideCm, { error: 'expected three sides in centimetres' }).length(3),
});

const payloadSchema = z.object({ parcel: parcelSchema });

/** Returns the problems of an alert's payload, by field. */
export function parcelProblems({ payload }: AlertInput): FieldProblem[] {
  const read = payloadSchema.safeParse(payload ?? {});
  if (read.success) return [];
  return fieldProblems(read.error).map(({ path, message }) => ({ path: `payload.${path}`, message }));
}

/** Returns the parcel of an alert. @throws InvalidInput for another payload. */
export function preparedParcel({ payload }: Alert): PreparedPayload {
  const { parcel } = parseInput(payloadSchema, payload, 'payload');
  return { text: `A parcel: ${parcel.contents}`, input: parcel, units: [] };
}
