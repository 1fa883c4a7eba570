import {
  InvalidInput,
  parseInput,
  scamPatternSchema,
  z,
  type CaseDocument,
  type ScamPattern,
} from '@casefile/contracts';

const TITLE_LENGTH = 80;
const TEXT_LENGTH = 4_000;

const outcomeSchema = z.object({
  scamDetected: z.literal(true),
  category: z.string(),
  language: z.string(),
  redFlags: z.array(z.string()),
});

/** What the person who confirms a verdict adds to it. */
export interface Confirmation {
  scamType: string;
  title?: string | undefined;
}

/**
 * The pattern that a confirmed verdict of message-screening becomes: its message, category and red flags.
 * @throws InvalidInput when the case has no such verdict, or its message cannot be a pattern.
 */
export function patternOfCase(found: CaseDocument, { scamType, title }: Confirmation): ScamPattern {
  const run = found.runs.findLast(({ verdict }) => verdict !== null && !verdict.degraded);
  const outcome = outcomeSchema.safeParse(run?.verdict?.outcome);
  const text = found.alerts.at(-1)?.text?.trim() ?? '';
  if (!outcome.success || text === '')
    throw new InvalidInput(
      [{ path: found.id, message: 'has no verdict that its message is a scam' }],
      'case',
    );
  const { category, language, redFlags } = outcome.data;
  const pattern = {
    id: `case-${found.id}`,
    title: title ?? text.replace(/\s+/g, ' ').slice(0, TITLE_LENGTH),
    texts: { [language]: text.slice(0, TEXT_LENGTH) },
    ...{ category, scamType, redFlags: redFlags.slice(0, 50).map((flag) => flag.slice(0, 300)) },
    ...{ source: `verdict of run ${run?.id}`, version: 1 },
  };
  return parseInput(scamPatternSchema, pattern, 'scam pattern');
}
