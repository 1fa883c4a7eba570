import type { ShownRun } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import { evidenceLinks, evidenceOf } from './evidence-places.js';

interface CitationsProps {
  ids: readonly string[];
  run: ShownRun;
  unit: string;
  label: string;
  /** Say what each piece of evidence is, not only its id. */
  named?: boolean;
}

/** Ids of evidence, each leading to what it names; ids that name nothing are shown as such. */
export function Citations({ ids, run, unit, label, named = false }: CitationsProps) {
  if (ids.length === 0) return null;
  const links = evidenceLinks(run, unit);
  const items = new Map(evidenceOf(run, unit).map((item) => [item.id, item]));
  return (
    <div className={named ? 'citations citations-named' : 'citations'}>
      <h3>{label}</h3>
      <ul>
        {ids.map((id) => {
          const item = items.get(id);
          const href = links.get(id);
          return (
            <li key={id}>
              {href === undefined ? (
                <span className="citation-unknown" title="No evidence has this id">
                  {visible(id)} ?
                </span>
              ) : (
                <a className="citation" href={href}>
                  {id}
                </a>
              )}
              {named && item !== undefined && (
                <span className="citation-name cut">
                  <span className="mono">{item.toolName}</span>{' '}
                  <span dir="auto">{visible(item.entityValue)}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
