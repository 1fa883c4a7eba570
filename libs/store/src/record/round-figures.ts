import type { CaseReader, RoundFigures } from '@casefile/contracts';
import { cachedFor } from '../cached-for.js';
import type { Database } from '../database.js';

/** A day's verdicts are many rows and change little: they are added up at most this often, in milliseconds. */
const MAX_AGE_MS = 15_000;

// The condition of the index events_ends is implied, so that it is found by time. What another case took over is counted there.
const FIGURES = `
  with ended as (
    select r.id, c.playbook, v.body -> 'outcome' as outcome
    from events e join runs r on r.id = e.run_id join cases c on c.id = r.case_id
      join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    where e.at > now() - interval '24 hours' and e.type = 'verdict.decided' and c.playbook = any($1::text[])
      and c.dataset is null and r.lane not in ('replay', 'shadow') and v.body -> 'outcome' -> 'reused' is null),
  ruled as (
    select d.playbook, a.body ->> 'ruling' as ruling, count(*)::int as n
    from ended d join artifacts a on a.run_id = d.id and a.artifact = 'review' group by 1, 2)
  select d.playbook, count(*)::int as verdicts, coalesce(avg((d.outcome ->> 'rounds')::float8), 0) as rounds,
    (count(*) filter (where d.outcome ->> 'notConverged' = 'true'))::int as "notConverged",
    coalesce((select json_object_agg(u.ruling, u.n) from ruled u where u.playbook = d.playbook), '{}') as rulings
  from ended d group by d.playbook order by d.playbook`;

/** How the rounds of kinds of case ended of late. */
export function roundFiguresIn(database: Database): CaseReader['roundFigures'] {
  const looks = new Map<string, () => Promise<RoundFigures[]>>();
  return async (playbooks) => {
    if (playbooks.length === 0) return [];
    const key = JSON.stringify(playbooks);
    const look =
      looks.get(key) ?? cachedFor(MAX_AGE_MS, () => database.rows<RoundFigures>(FIGURES, [playbooks]));
    looks.set(key, look);
    return look();
  };
}
