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
  home: 'all figures are current. The page Providers and cost shows the provider.',
  cases: 'this list is current. Cases wait for the model, or rules decide them and mark them as degraded.',
  inbox: 'answers are recorded. Verdicts that rules decided without a model may wait here.',
};

const NO_SERVICE: Outage['pages'] = {
  home: 'all figures are current. The stages of this service are marked.',
  cases: 'this list is current. Cases that need this service stay open.',
  inbox: 'answers are recorded. New verdicts arrive when the service runs again.',
};

/** Outages by the family of their condition, and by the whole id if one member differs. */
const OUTAGES: Readonly<Record<string, Outage>> = {
  store_out: {
    what: () => 'the database is unavailable',
    pages: {
      home: 'the figures on this page are as they were last read.',
      cases: 'this list is as it was last read. New and changed cases are missing.',
      inbox: 'this list is as it was last read, and answers cannot be recorded.',
    },
  },
  'store_out.writes': {
    what: () => 'the database takes no writes',
    pages: {
      home: 'all figures are current. No alert is accepted, and no case continues.',
      cases: 'this list is current. No case is added, and none continues.',
      inbox: 'this list is current. Answers cannot be recorded.',
    },
  },
  queue_out: {
    what: () => 'the queue store cannot be used',
    pages: {
      home: 'the jobs that wait are not known. All other figures are current.',
      cases: 'this list is current. Cases are judged when the queue store can be used.',
      inbox: 'answers are recorded. New verdicts arrive when the queue store can be used.',
    },
  },
  service_absent: { what: withName('no NAME is running'), pages: NO_SERVICE },
  'service_absent.ingest': {
    what: withName('no NAME is running'),
    pages: {
      ...NO_SERVICE,
      cases: 'this list is current. No alert is accepted, so no case is added.',
      inbox: 'answers are recorded. No alert is accepted, so no verdict is added.',
    },
  },
  'service_absent.decision': {
    what: withName('no NAME is running'),
    pages: {
      ...NO_SERVICE,
      cases: 'this list is current. Open cases get no verdict, and no verdict is sent.',
      inbox: 'answers are recorded, and sent when the service runs again.',
    },
  },
  provider_out: { what: withName('the provider NAME is out'), pages: MODEL_OUT },
  model_slow: { what: withName('the model is too slow for NAME'), pages: MODEL_OUT },
  destination_failing: {
    what: withName('the destination NAME accepts no messages'),
    pages: {
      home: 'all figures are current. The page Destinations shows what waits.',
      cases: 'this list is current. Verdicts for this destination wait until it accepts them.',
      inbox: 'answers are recorded, and sent when the destination accepts them.',
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
    return outage === undefined ? [] : [`While ${outage.what(name)}, ${outage.pages[page]}`];
  });
  return [...new Set(notes)];
}
