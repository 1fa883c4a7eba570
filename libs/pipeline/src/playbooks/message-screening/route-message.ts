import { asCasefileError, CasefileError, parseInput, z, type Brief, type Json } from '@casefile/contracts';
import {
  detectLanguage,
  UNDETERMINED,
  type Detected,
  type Identify,
} from '../../language/detect-language.js';

export const MODES = ['normal', 'strict'] as const;
export type Mode = (typeof MODES)[number];

export const routingOptionsSchema = z.object({
  /** BCP 47 codes of languages that are judged in mode `normal`; every other one in `strict`. */
  normalLanguages: z.array(z.string().min(1)).default(['en', 'hi', 'hi-Latn']),
  /** Below this the language counts as undetermined, 0..1. */
  minCertainty: z.number().min(0).max(1).default(0.45),
});

export interface Routing {
  language: NonNullable<Brief['language']>;
  mode: Mode;
}

/**
 * Language and mode of a message. What is normal weighs together, so that Hindi with English words in it is not
 * undetermined for being both. S3-01. Where the language cannot be told because something fails, it is undetermined and
 * the mode the careful one, and what failed stands beside it: a run is not stopped for it, nor judged as if nothing were
 * amiss. S3-41. @throws InvalidInput for options that are not valid.
 */
export async function routeMessage(
  text: string,
  options: Record<string, Json>,
  identify?: Identify,
): Promise<Routing> {
  const { normalLanguages, minCertainty } = parseInput(routingOptionsSchema, options, 'routing options');
  const detected = await detectLanguage(text, identify).catch((thrown: unknown) => asCasefileError(thrown));
  if (detected instanceof CasefileError)
    return {
      language: { code: UNDETERMINED, certainty: 0, failure: detected.reasonCode },
      mode: 'strict',
    };
  const normal = weightOf(detected, normalLanguages);
  const known = Math.max(normal, detected.certainty) >= minCertainty;
  const code = known ? leading(detected, normalLanguages, normal) : UNDETERMINED;
  const isNormal = known && normal >= minCertainty && normal >= detected.certainty;
  return { language: { code, certainty: rounded(detected.certainty) }, mode: isNormal ? 'normal' : 'strict' };
}

function weightOf({ weights }: Detected, languages: string[]): number {
  return languages.reduce((sum, language) => sum + (weights[language] ?? 0), 0);
}

// When several normal languages together outweigh the single best one, the best of them names the text.
function leading({ code, certainty, weights }: Detected, languages: string[], normal: number): string {
  if (normal < certainty) return code;
  const [best] = languages.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  return best ?? code;
}

function rounded(certainty: number): number {
  return Math.round(certainty * 1000) / 1000;
}
