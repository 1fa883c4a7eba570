import type { RunSettings } from '@casefile/contracts';
import { inWords } from '../../format/words.js';

/** How a run was settled, in the words that the head of a case and a comparison share. */
export function settingsInWords({ playbookVersion, provider, model, strategy, policy }: RunSettings) {
  return {
    model: provider === 'none' ? 'heuristics only' : `${provider} · ${model}`,
    strategy: inWords(strategy),
    rule: inWords(policy),
    version: `v${playbookVersion}`,
  };
}
