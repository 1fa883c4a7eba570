import { asCasefileError, CasefileError, type Brief } from '@casefile/contracts';
import {
  detectLanguage,
  UNDETERMINED,
  type DetectedLanguage,
  type Identify,
} from '@casefile/pipeline/language/detect-language';
import type { Triage } from '@casefile/pipeline/stage-parts';
import { options, type ScreeningOptions } from './options.js';

export const MODES = ['normal', 'strict'] as const;
export type Mode = (typeof MODES)[number];

export interface Routing {
  language: NonNullable<Brief['language']>;
  mode: Mode;
}

/**
 * Returns the language and mode of a message. The weights of normal languages are added, so that Hindi with
 * English words does not count as undetermined. If the language cannot be detected because of a failure, it
 * is undetermined, the mode is `strict`, and the failure is returned. So the run continues, but its verdict
 * shows that something was missing (S3-41).
 */
export async function routeMessage(
  text: string,
  { normalLanguages, minCertainty }: Pick<ScreeningOptions, 'normalLanguages' | 'minCertainty'>,
  identify?: Identify,
): Promise<Routing> {
  const detected = await detectLanguage(text, identify).catch((thrown: unknown) => asCasefileError(thrown));
  if (detected instanceof CasefileError)
    return {
      language: { code: UNDETERMINED, certainty: 0, failure: detected.reasonCode },
      mode: 'strict',
    };
  const normal = detectedLanguageWeight(detected, normalLanguages);
  const known = Math.max(normal, detected.certainty) >= minCertainty;
  const code = known ? leading(detected, normalLanguages, normal) : UNDETERMINED;
  const isNormal = known && normal >= minCertainty && normal >= detected.certainty;
  return {
    language: { code, certainty: roundedCertainty(detected.certainty) },
    mode: isNormal ? 'normal' : 'strict',
  };
}

/** Triage that also records the language of the text and the mode in which it is judged. */
export function addRoute(triage: Triage, identify?: Identify): Triage {
  return async (alert, ports) => {
    const outcome = await triage(alert, ports);
    if (outcome.kind !== 'done') return outcome;
    const brief = outcome.artifact;
    const routing = await routeMessage(brief.text, options.read(ports.run.settings.options), identify);
    return { ...outcome, artifact: { ...brief, ...routing } };
  };
}

function detectedLanguageWeight({ weights }: DetectedLanguage, languages: string[]): number {
  return languages.reduce((sum, language) => sum + (weights[language] ?? 0), 0);
}

// If several normal languages together outweigh the single best one, the best of them is the language of the
// text.
function leading(
  { code, certainty, weights }: DetectedLanguage,
  languages: string[],
  normal: number,
): string {
  if (normal < certainty) return code;
  const [best] = languages.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  return best ?? code;
}

function roundedCertainty(certainty: number): number {
  return Math.round(certainty * 1000) / 1000;
}
