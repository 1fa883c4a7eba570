import type { Series } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAudit } from '../../api/audit.js';
import { useInbox } from '../../api/inbox.js';
import { useConditions } from '../../api/queries.js';
import { getJson } from '../../api/request.js';
import { countOf, countText } from '../../format/numbers.js';
import { useMay } from '../../shell/use-may.js';
import { Stamp } from '../../ui/stamp.js';

const DAY_MS = 86_400_000;

/** What changed since the last visit; on the first visit, in the last day. `before`: time of the last visit, ISO 8601. */
export function SinceLastVisit({ before: visit }: { before: string | null }) {
  const [dayAgo] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const before = visit ?? dayAgo;
  const title = visit === null ? 'In the last 24 hours' : 'Since your last visit';
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <span className="quiet">
          since <Stamp at={before} />
        </span>
      </header>
      <ul className="panel-body home-changes">
        <Verdicts since={before} />
        <Waiting since={before} />
        <Conditions since={before} />
        <Acts since={before} />
      </ul>
    </section>
  );
}

function Verdicts({ since }: { since: string }) {
  const { data } = useQuery({
    queryKey: ['series', 'verdicts since', since],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ metric: 'verdicts', by: 'disposition', from: since, step: 'hour' });
      return getJson<Series>(`/series?${query.toString()}`, signal);
    },
  });
  if (data === undefined) return null;
  const counts = data.series.map(({ group, points }) => ({
    name: group ?? '',
    count: points.reduce((sum, { value }) => sum + value, 0),
  }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <li>
      <Link href={`/cases?from=${since.slice(0, 10)}`}>{countOf(total, 'verdict')}</Link>
      {total > 0 && `: ${counts.map(({ name, count }) => `${countText(count)} ${name}`).join(', ')}`}
    </li>
  );
}

function Waiting({ since }: { since: string }) {
  const { data } = useInbox();
  if (data === undefined) return null;
  const total = data.waiting.reduce((sum, { count }) => sum + count, 0);
  // Of a long list only the oldest are read, so the new ones cannot be counted.
  if (data.items.length < total)
    return (
      <li>
        <Link href="/inbox">{countText(total)} in the inbox</Link>
      </li>
    );
  const added = data.items.filter(({ at }) => at >= since).length;
  return (
    <li>
      <Link href="/inbox">{added === 0 ? 'Nothing' : countText(added)} new</Link> in the inbox
    </li>
  );
}

function Conditions({ since }: { since: string }) {
  const opened =
    useConditions().data?.conditions.filter((one) => one.since !== null && one.since >= since) ?? [];
  if (opened.length === 0) return <li>No new condition is open</li>;
  return (
    <li>
      {countOf(opened.length, 'condition')} opened: {opened.map(({ text }) => text).join('; ')}
    </li>
  );
}

function Acts({ since }: { since: string }) {
  return useMay()('admin') ? <AuditedActs since={since} /> : null;
}

function AuditedActs({ since }: { since: string }) {
  const { data } = useAudit({});
  if (data === undefined) return null;
  const page = data.pages[0]?.entries ?? [];
  const acts = page.filter(({ at }) => at >= since);
  const isMore = acts.length === page.length && acts.length > 0;
  return (
    <li>
      <Link href="/settings/audit">
        {isMore ? 'At least ' : ''}
        {countOf(acts.length, 'act')}
      </Link>{' '}
      of people
    </li>
  );
}
