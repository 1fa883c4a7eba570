import { cachedFor, type Condition } from '@casefile/contracts';
import { hasDropped } from '@casefile/pipeline';
import type { Platform } from '../compose/platform.js';
import { evolvableNames } from '../evolve/evolution-runs.js';
import type { ConditionRule, KindQuality } from './condition-facts.js';

const DAY_MS = 86_400_000;
/** Days of the recent period, and of the earlier period before it. */
const RECENT_DAYS = 7;
const EARLIER_DAYS = 28;
/** Maximum age of the counts, in milliseconds. */
const MAX_AGE_MS = 5_000;

const conditionId = (kind: string) => ({ id: `quality_low.${kind}`, severity: 'warning' as const });

/** Fewer verdicts of a kind are right than before. */
export const qualityLow: ConditionRule = {
  ids: ({ kinds }) => kinds.map(conditionId),
  reads: ['quality'],
  holding: ({ quality }) =>
    quality
      .filter(({ recentRight, recentLabels, earlierRight, earlierLabels }) =>
        hasDropped({ x: recentRight, n: recentLabels }, { x: earlierRight, n: earlierLabels }),
      )
      .map(lowQuality),
};

function lowQuality(one: KindQuality): Condition {
  const { playbook, prompt, recentRight, recentLabels, earlierRight, earlierLabels } = one;
  const recent = `${share(recentRight, recentLabels)} in the last ${RECENT_DAYS} days`;
  const earlier = `${share(earlierRight, earlierLabels)} in the ${EARLIER_DAYS} days before`;
  const evolve = `casefile evolve --playbook ${playbook} --prompt ${prompt ?? ''} --budget 5`;
  return {
    ...conditionId(playbook),
    since: null,
    text: `Fewer verdicts of ${playbook} are right: ${recent}, ${earlier}`,
    effect: 'People corrected more verdicts than chance explains. Verdicts without a label may be wrong too.',
    act:
      prompt === null
        ? 'Read the verdicts that people corrected, and look for a change in the alerts, the tools or the settings.'
        : `Read the verdicts that people corrected. If neither the tools nor the settings are the cause, search for a better prompt: ${evolve}`,
    link: prompt === null ? '/improve' : `/prompts/${playbook}/${prompt}`,
  };
}

const share = (right: number, labels: number): string =>
  `${right} of ${labels} labelled (${Math.round((100 * right) / labels)} %)`;

/** Returns a reader of the labelled verdicts per kind, with the prompt that can be evolved. */
export function kindQuality({
  store,
  clock,
  config,
  installation,
}: Pick<Platform, 'store' | 'clock' | 'config' | 'installation'>): () => Promise<KindQuality[]> {
  return cachedFor(MAX_AGE_MS, async () => {
    const now = clock.now();
    const from = new Date(now - (RECENT_DAYS + EARLIER_DAYS) * DAY_MS).toISOString();
    const recentFrom = new Date(now - RECENT_DAYS * DAY_MS).toISOString();
    const counts = await store.qualityFigures.periodLabels(from, recentFrom);
    return counts.map((one) => {
      const settings = installation.latest()?.playbooks[one.playbook] ?? null;
      const [prompt = null] = evolvableNames(settings, one.playbook, config.prompts.installed);
      return { ...one, prompt };
    });
  });
}
