import { t } from '../strings/text.js';
import type { Condition } from '@casefile/contracts';

/** Pages that state what an outage means for their content. */
export type NotedPage = 'home' | 'cases' | 'inbox';

interface Outage {
  /** Name of the unavailable part, to follow "While". @param name The name at the end of the condition's id. */
  what(name: string): string;
  /** What the page still shows and does. */
  pages: Record<NotedPage, string>;
}

const withName = (what: string) => (name: string) => what.replace('NAME', name);

const MODEL_OUT: Outage['pages'] = {
  home: t('shell.allFiguresAreCurrentThe'),
  cases: t('shell.thisListIsCurrentCases'),
  inbox: t('shell.answersAreRecordedVerdictsThat'),
};

const NO_SERVICE: Outage['pages'] = {
  home: t('shell.allFiguresAreCurrentThe2'),
  cases: t('shell.thisListIsCurrentCases2'),
  inbox: t('shell.answersAreRecordedNewVerdicts'),
};

/** Outages by the family of their condition, and by the whole id if one member differs. */
const OUTAGES: Readonly<Record<string, Outage>> = {
  store_out: {
    what: () => t('shell.theDatabaseIsUnavailable'),
    pages: {
      home: t('shell.theFiguresOnThisPage'),
      cases: t('shell.thisListIsAsIt'),
      inbox: t('shell.thisListIsAsIt2'),
    },
  },
  'store_out.writes': {
    what: () => t('shell.theDatabaseTakesNoWrites'),
    pages: {
      home: t('shell.allFiguresAreCurrentNo'),
      cases: t('shell.thisListIsCurrentNo'),
      inbox: t('shell.thisListIsCurrentAnswers'),
    },
  },
  queue_out: {
    what: () => t('shell.theQueueStoreCannotBe'),
    pages: {
      home: t('shell.theJobsThatWaitAre'),
      cases: t('shell.thisListIsCurrentCases3'),
      inbox: t('shell.answersAreRecordedNewVerdicts2'),
    },
  },
  service_absent: { what: withName(t('shell.noNameIsRunning')), pages: NO_SERVICE },
  'service_absent.ingest': {
    what: withName(t('shell.noNameIsRunning')),
    pages: {
      ...NO_SERVICE,
      cases: t('shell.thisListIsCurrentNo2'),
      inbox: t('shell.answersAreRecordedNoAlert'),
    },
  },
  'service_absent.decision': {
    what: withName(t('shell.noNameIsRunning')),
    pages: {
      ...NO_SERVICE,
      cases: t('shell.thisListIsCurrentOpen'),
      inbox: t('shell.answersAreRecordedAndSent'),
    },
  },
  provider_out: { what: withName(t('shell.theProviderNameIsOut')), pages: MODEL_OUT },
  model_slow: { what: withName(t('shell.theModelIsTooSlow')), pages: MODEL_OUT },
  destination_failing: {
    what: withName(t('shell.theDestinationNameAcceptsNo')),
    pages: {
      home: t('shell.allFiguresAreCurrentThe3'),
      cases: t('shell.thisListIsCurrentVerdicts'),
      inbox: t('shell.answersAreRecordedAndSent2'),
    },
  },
};

/** Returns whether a page that was last read at a time, in milliseconds since the epoch, is older than an outage of the database. */
export function isOlder(readAt: number, conditions: readonly Condition[]): boolean {
  return conditions.some(
    ({ id, since }) => id === 'store_out' && (since === null || Date.parse(since) >= readAt),
  );
}

/**
 * Returns one sentence per open outage: what is out, and what the page still shows and does.
 * @param isOld Whether the page could not be read since the database is out. Else a database that is out takes no writes.
 */
export function pageNotes(page: NotedPage, conditions: readonly Condition[], isOld: boolean): string[] {
  // While the database is out, the other notes about the content do not hold.
  const storeOut = conditions.some(({ id }) => id === 'store_out');
  const ids = storeOut ? [isOld ? 'store_out' : 'store_out.writes'] : conditions.map(({ id }) => id);
  const notes = ids.flatMap((id) => {
    const [family = id] = id.split('.', 1);
    const outage = OUTAGES[id] ?? OUTAGES[family];
    const name = id.slice(family.length + 1);
    return outage === undefined
      ? []
      : [t('shell.while', { name: outage.what(name), pages: outage.pages[page] })];
  });
  return [...new Set(notes)];
}
