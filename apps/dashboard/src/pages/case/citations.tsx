import type { ShownRun } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import '../../ui/citation.css';
import { evidenceLinks, runEvidence, readByCalls } from './evidence-places.js';

interface CitationsProps {
  ids: readonly string[];
  run: ShownRun;
  unit: string;
  label: string;
  /** true: also name each piece of evidence, not only its id. */
  named?: boolean;
}

/** Ids of evidence as links to the evidence. An id without evidence is marked as such. */
export function Citations({ ids, run, unit, label, named = false }: CitationsProps) {
  if (ids.length === 0) return null;
  const links = evidenceLinks(run, unit);
  const names = new Map([
    ...readByCalls(run, unit).map(({ id, tool }) => [id, [tool, '']] as const),
    ...runEvidence(run, unit).map((item) => [item.id, [item.toolName, item.entityValue]] as const),
  ]);
  return (
    <div className={named ? 'citations citations-named' : 'citations'}>
      <h3>{label}</h3>
      <ul>
        {ids.map((id) => {
          const name = names.get(id);
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
              {named && name !== undefined && (
                <span className="citation-name cut">
                  <span className="mono">{name[0]}</span> <span dir="auto">{visible(name[1])}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
