import {
  afterSilence,
  isWithheld,
  type UnsilencedCase,
  alertTransition,
  answerTransition,
  CASE_RULES,
  firstOccurrence,
  planProposal,
  verdictTransition,
  type AlertOccurrence,
  type AlertTransition,
  type ArrivedAlert,
  type CaseRule,
  type Grade,
  type JoinedCase,
} from '@casefile/contracts';

/** One row of the table: what happens to which case, what changes, what leaves, and the rule. */
interface Row {
  happens: string;
  changes: string;
  leaves: string;
  rule: CaseRule | null;
}

const START = '2026-01-05T10:00:00Z';
const LATER = '2026-01-05T12:00:00Z';
const WARNING: Grade = { severity: 'warning', level: 'firing', affected: 4 };
const report = (over: Partial<AlertOccurrence> = {}): AlertOccurrence => ({
  startedAt: START,
  resolved: false,
  mostRunsPerHour: 6,
  closes: false,
  grade: WARNING,
  ...over,
});
const arrived = (occurrence: AlertOccurrence | null, over: Partial<ArrivedAlert> = {}): ArrivedAlert => ({
  occurrence,
  canJoin: true,
  isDue: false,
  isRequested: false,
  recovery: null,
  ...over,
});
const known = (
  over: Partial<NonNullable<JoinedCase['occurrences']>> = {},
  isAnswered = false,
): JoinedCase => ({
  isAnswered,
  occurrences: { ...firstOccurrence(report()), isUnderWay: false, ...over },
});

const LEAVES = 'the verdict of the new run, unless receivers have the same one';

function alertRow(happens: string, joined: JoinedCase | null, alert: ArrivedAlert): Row {
  const transition = alertTransition(joined, alert);
  const leaves =
    transition.run === 'leads'
      ? transition.effect?.begins === false && joined?.isAnswered === false
        ? LEAVES
        : 'the verdict of the new run'
      : transition.effect?.resolves === true
        ? 'the end, to pagers that got a page'
        : 'nothing';
  return { happens, changes: changesIn(transition, joined), leaves, rule: transition.rule };
}

function changesIn(
  { ignored, isRemembered, run, effect }: AlertTransition,
  joined: JoinedCase | null,
): string {
  if (ignored !== null)
    return `No case is opened (202, \`ignored: ${ignored}\`).${isRemembered ? ' The end is remembered for six hours.' : ''}`;
  const parts = [
    joined === null ? 'A case is opened' : 'The alert joins its case',
    run === 'leads'
      ? 'a run judges it'
      : run === 'proposes'
        ? 'a run proposes a verdict'
        : 'no run is opened',
    ...(effect?.resolves === true ? ['the case is marked as resolved'] : []),
    ...(effect?.flaps === true ? ['the occurrence is counted'] : []),
  ];
  return `${parts.join('; ')}.`;
}

function rows(): Row[] {
  const over = report({ resolved: true });
  const rise = report({ grade: { ...WARNING, severity: 'critical' } });
  const warns = known({ peak: { ...WARNING, level: 'warning' } });
  const recovery = { startedAt: Date.parse(START), at: Date.parse(LATER), agoMs: 60_000 };
  const verdict = (happens: string, run: Parameters<typeof verdictTransition>[0]): Row => {
    const { isShown, leaves, rule } = verdictTransition(run);
    const changes = isShown ? 'The case shows the verdict.' : 'The case keeps its verdict.';
    return { happens, changes, leaves: leaves ? 'the verdict' : 'nothing', rule };
  };
  const run = { leads: true, isOvertaken: false, isOutward: true, change: null };
  const answer = (happens: string, contradiction: string | null, overrides: boolean, agrees = false): Row => {
    const given = answerTransition({ isCurrent: true, agrees, contradiction, overrides });
    const changes = given.isRefused
      ? 'The answer is refused (409).'
      : `The answer is the verdict in force.${given.isMarked ? ' It is marked.' : ''}`;
    return { happens, changes, leaves: given.leaves ? 'the corrected verdict' : 'nothing', rule: given.rule };
  };
  const batch = (happens: string, review: 'answered' | null, change: 'message' | 'none'): Row => {
    const plan = planProposal({
      change,
      isCurrent: true,
      review,
      isDelivered: true,
      isWithheld: false,
      corrections: [],
    });
    const changes =
      plan?.result === 'applied' ? 'The case shows the new verdict.' : 'The case keeps its verdict.';
    const rule = plan?.result === 'by_person' ? 'person' : plan?.result === 'unchanged' ? 'unchanged' : null;
    return { happens, changes, leaves: plan?.sends === true ? 'the new verdict' : 'nothing', rule };
  };
  return [
    alertRow('An alert fires that no case has.', null, arrived(report())),
    alertRow('A recovery arrives for an alert that no case has.', null, arrived(over)),
    alertRow(
      'The start of an alert arrives within six hours after its end.',
      null,
      arrived(report(), { recovery }),
    ),
    alertRow(
      'A newer start arrives after the end of an unknown alert.',
      null,
      arrived(report({ startedAt: '2026-01-05T13:00:00Z' }), { recovery }),
    ),
    alertRow('A person acknowledges an alert that no case has.', null, arrived(report({ remark: true }))),
    alertRow('The alert of a decided case repeats.', known(), arrived(report())),
    alertRow('Its severity rises from warning to critical.', known(), arrived(rise)),
    alertRow('Its severity rises while a run is active.', known({ isUnderWay: true }), arrived(rise)),
    alertRow(
      'Its severity falls from warning to info.',
      known(),
      arrived(report({ grade: { ...WARNING, severity: 'info' } })),
    ),
    alertRow('Its state changes from warning to firing.', warns, arrived(report())),
    alertRow(
      'Its list of affected things grows from 4 to 12.',
      known(),
      arrived(report({ grade: { ...WARNING, affected: 12 } })),
    ),
    alertRow('It recovers.', known(), arrived(over)),
    alertRow(
      'It fires again with a later start.',
      known({ isResolved: true }),
      arrived(report({ startedAt: LATER })),
    ),
    alertRow(
      'It fires again, and six runs were opened within the hour.',
      known({ runsLastHour: 6 }),
      arrived(report({ startedAt: LATER })),
    ),
    alertRow(
      'A report of an earlier occurrence arrives late.',
      known({ startedAt: Date.parse(LATER) }),
      arrived(report()),
    ),
    alertRow('A person adds a note to it.', known(), arrived(report({ remark: true }))),
    alertRow(
      'A person acknowledges it, and its severity rises.',
      known(),
      arrived(report({ remark: true, grade: rise.grade! })),
    ),
    alertRow(
      'Its title is marked as a recovery, and no status field confirms it.',
      known(),
      arrived(report({ joinsOnly: true })),
    ),
    alertRow('A sender asks to judge its recovery again.', known(), arrived(over, { isRequested: true })),
    alertRow(
      'A person answered, and it repeats after the hold-off.',
      known({}, true),
      arrived(report({ startedAt: null }), { isDue: true }),
    ),
    alertRow(
      'A person answered, and a sender asks to judge it again.',
      known({}, true),
      arrived(report(), { isRequested: true }),
    ),
    alertRow('A person answered, and its severity rises.', known({}, true), arrived(rise)),
    verdict('A run decides its case for the first time.', run),
    verdict('A run decides, and receivers act on it as on the verdict that they have.', {
      ...run,
      change: 'none',
    }),
    verdict('A run decides after a later run decided the case.', { ...run, leads: false, isOvertaken: true }),
    verdict('A run decides that only proposes, or is a shadow or a replay.', {
      ...run,
      leads: false,
      isOutward: false,
    }),
    {
      happens: 'A run decides while a silence matches the alert.',
      changes: 'The case shows the verdict.',
      leaves: isWithheld({ about: 'verdict', byPerson: false, isSilenced: true })
        ? 'nothing; it is recorded as withheld'
        : 'the verdict',
      rule: 'silence',
    },
    {
      happens: 'In a silence, the alert ends whose page left before.',
      changes: 'The case is marked as resolved.',
      leaves: isWithheld({ about: 'ended', byPerson: false, isSilenced: true })
        ? 'nothing'
        : 'the end, to pagers that got a page',
      rule: 'silence',
    },
    unsilenced('A silence ends, and the alert still fires.', {}),
    unsilenced('A silence ends after the alert ended.', { isOver: true }),
    unsilenced('A silence ends after a person answered.', { isAnswered: true }),
    answer('A person corrects the verdict.', null, false),
    {
      ...answer('A person corrects a verdict while a silence matches.', null, false),
      leaves: isWithheld({ about: 'verdict', byPerson: true, isSilenced: true })
        ? 'nothing'
        : 'the corrected verdict',
      rule: 'silence',
    },
    {
      ...answer('A person agrees with a verdict that a silence withheld.', null, false, true),
      leaves: answerTransition({
        isCurrent: true,
        agrees: true,
        contradiction: null,
        overrides: false,
        isWithheld: true,
      }).leaves
        ? 'the verdict'
        : 'nothing',
      rule: 'silence',
    },
    answer('A person agrees with the verdict.', null, false, true),
    answer('A person passes a report without sources.', 'The report has no source.', false),
    answer('A person passes it with `override`.', 'The report has no source.', true),
    batch('A batch has a changed verdict for a case that no person decided.', null, 'message'),
    batch('A batch has the same verdict.', null, 'none'),
    batch('A batch has a changed verdict for a case that a person decided.', 'answered', 'message'),
  ];
}

function unsilenced(happens: string, state: Partial<UnsilencedCase>): Row {
  const effect = afterSilence({ leads: true, isSilenced: false, isOver: false, isAnswered: false, ...state });
  return effect === 'judge'
    ? { happens, changes: 'A run judges the alert again.', leaves: 'its verdict', rule: 'silenceOver' }
    : { happens, changes: 'No run is opened.', leaves: 'nothing', rule: 'silenceOver' };
}

/** Returns the page with the rules of a case, computed by the functions that decide. */
export function caseRulesPage(): string {
  const numbers = new Map(Object.keys(CASE_RULES).map((rule, index) => [rule, index + 1]));
  const table = rows().map(
    ({ happens, changes, leaves, rule }) =>
      `| ${happens} | ${changes} | ${leaves} | ${rule === null ? '' : String(numbers.get(rule))} |`,
  );
  return [
    '# Rules of a case',
    'Generated by `npm run reference` from the functions in `libs/contracts/src/transitions`, which decide in intake, stages, reviews and batches. A *run* judges an alert once, and it is the later one if it was opened later. A *proposal* is a verdict that the case shows next to the verdict in force. An *occurrence* is one period in which an alert fires: a start that is later than all known ones begins a new one. The *hold-off* is the time after a verdict within which a repeat without a start time opens no run; each kind of case sets it. The *hourly limit* counts runs of one case.',
    '## Rules',
    Object.values(CASE_RULES)
      .map((sentence, index) => `${index + 1}. ${sentence}`)
      .join('\n'),
    '## What happens',
    ['| what happens | what changes | what leaves | rule |', '|---|---|---|---|', ...table].join('\n'),
  ].join('\n\n');
}
