import { t } from '../../strings/text.js';
import type { RunSettings } from '@casefile/contracts';
import { inWords } from '../../format/words.js';

/** Describes the settings of a run. The head of a case and the comparison of runs use the same words. */
export function settingsInWords({
  playbookVersion,
  provider,
  model,
  strategy,
  policy,
  experiment,
  flag,
}: RunSettings) {
  return {
    model: provider === 'none' ? t('case.rulesOnly') : `${provider} · ${model}`,
    strategy: inWords(strategy),
    rule: inWords(policy),
    version: `v${playbookVersion}`,
    /** null: no A/B experiment of the kind was running. */
    arm:
      experiment?.arm ??
      (flag === undefined ? null : t('case.none', { reason: inWords(flag.reason.toLowerCase()) })),
  };
}
