import { t } from '../../strings/text.js';
import type { ShownRun } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import '../../ui/citation.css';
import { evidenceLinks, runEvidence, readByCalls } from './evidence-places.js';

interface CitationsProps {
  ids: readonly string[];
  run: ShownRun;
  unit: string;
  label: string;
}

/** Ids of evidence as links to the evidence. An id without evidence is marked as such. */
export function Citations({ ids, run, unit, label }: CitationsProps) {
  if (ids.length === 0) return null;
  const links = evidenceLinks(run, unit);
  const names = new Map([
    ...readByCalls(run, unit).map(({ id, tool }) => [id, tool] as const),
    ...runEvidence(run, unit).map(
      (item) => [item.id, visible(`${item.toolName} ${item.entityValue}`)] as const,
    ),
  ]);
  return (
    <div className="citations">
      <h3>{label}</h3>
      <ul>
        {ids.map((id) => {
          const href = links.get(id);
          return (
            <li key={id}>
              {href === undefined ? (
                <span className="citation-unknown" title={t('case.noEvidenceHasThisId')}>
                  {visible(id)} ?
                </span>
              ) : (
                <a className="citation" href={href} title={names.get(id)}>
                  {id}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
