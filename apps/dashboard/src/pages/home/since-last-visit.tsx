import { counted, rich, t } from '../../strings/text.js';
import type { Series } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAudit } from '../../api/audit.js';
import { useInbox } from '../../api/inbox.js';
import { useConditions } from '../../api/queries.js';
import { getJson } from '../../api/request.js';
import { countText } from '../../format/numbers.js';
import { useMay } from '../../shell/use-may.js';
import { Stamp } from '../../ui/stamp.js';

const DISPOSITIONS: Readonly<Record<string, string>> = {
  act: t('home.act'),
  review: t('home.review'),
  dismiss: t('home.dismiss'),
};
const DAY_MS = 86_400_000;

/** What changed since the last visit; on the first visit, in the last day. `before`: time of the last visit, ISO 8601. */
export function SinceLastVisit({ before: visit }: { before: string | null }) {
  const [dayAgo] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const before = visit ?? dayAgo;
  const title = visit === null ? t('home.inTheLast24Hours') : t('home.sinceYourLastVisit');
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        <span className="quiet">{rich('home.since', { stamp: <Stamp at={before} /> })}</span>
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
    name: DISPOSITIONS[group ?? ''] ?? '',
    count: points.reduce((sum, { value }) => sum + value, 0),
  }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <li>
      <Link href={`/cases?from=${since.slice(0, 10)}`}>{counted('count.verdict', total)}</Link>
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
        <Link href="/inbox">{rich('home.inTheInbox', { total: countText(total) })}</Link>
      </li>
    );
  const added = data.items.filter(({ at }) => at >= since).length;
  return (
    <li>
      {rich('home.inTheInbox2', {
        link: (
          <Link href="/inbox">
            {rich('home.new', { added: added === 0 ? t('home.nothing') : countText(added) })}
          </Link>
        ),
      })}
    </li>
  );
}

function Conditions({ since }: { since: string }) {
  const opened =
    useConditions().data?.conditions.filter((one) => one.since !== null && one.since >= since) ?? [];
  if (opened.length === 0) return <li>{t('home.noNewConditionIsOpen')}</li>;
  return (
    <li>
      {rich('home.opened', {
        opened: counted('count.condition', opened.length),
        names: opened.map(({ text }) => text).join('; '),
      })}
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
      {rich('home.ofPeople', {
        link: (
          <Link href="/settings/audit">
            {isMore ? t('home.atLeast') : ''}
            {counted('count.act', acts.length)}
          </Link>
        ),
      })}
    </li>
  );
}
