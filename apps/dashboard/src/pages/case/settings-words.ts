import type { RunSettings } from '@casefile/contracts';
import { inWords } from '../../format/words.js';

/** Describes the settings of a run. The head of a case and the comparison of runs use the same words. */
export function settingsInWords({ playbookVersion, provider, model, strategy, policy }: RunSettings) {
  return {
    model: provider === 'none' ? 'heuristics only' : `${provider} · ${model}`,
    strategy: inWords(strategy),
    rule: inWords(policy),
    version: `v${playbookVersion}`,
  };
}
