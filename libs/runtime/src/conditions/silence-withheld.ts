import { matcherText, type Condition, type ShownSilence } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

const SILENCE_WITHHELD = { id: 'silence_withheld', severity: 'warning' as const };

/** A silence in force withheld a page of severity `critical`. */
export const silenceWithheld: ConditionRule = {
  ids: () => [SILENCE_WITHHELD],
  reads: ['silences'],
  holding: ({ silences }) => {
    const critical = silences.filter(({ state, withheld }) => state === 'active' && withheld.critical > 0);
    return critical.length === 0 ? [] : [withheldCondition(critical)];
  },
};

function withheldCondition(silences: readonly ShownSilence[]): Condition {
  const count = silences.reduce((sum, { withheld }) => sum + withheld.critical, 0);
  const pages = count === 1 ? '1 critical page was' : `${count} critical pages were`;
  const each = silences.map(
    ({ matchers, author, endsAt }) =>
      `${matchers.map(matcherText).join(', ')} (by ${author}, until ${endsAt})`,
  );
  return {
    ...SILENCE_WITHHELD,
    since: null,
    text: `${pages} not sent because of a silence: ${each.join('; ')}`,
    effect:
      'Nobody was notified of these cases. Those that still fire at the end of the silence are judged again.',
    act: 'Read the withheld messages on the page Destinations. If they matter, send them or end the silence there.',
    link: '/operate/destinations?state=withheld',
  };
}
