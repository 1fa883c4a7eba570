import { useEffect } from 'react';
import { Link } from 'wouter';
import { usePrompts } from '../../api/prompts.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Failed, Skeleton } from '../../ui/states.js';
import './prompts.css';

/** Page of all prompts, each with its live version. */
export default function PromptsPage() {
  useEffect(() => void (document.title = 'Prompts · Casefile'), []);
  const { data, error, refetch } = usePrompts();
  return (
    <>
      <div className="page-head">
        <h1>Prompts</h1>
      </div>
      {data !== undefined ? (
        <ul className="panel prompt-list">
          {data.prompts.map(({ playbook, name, live, versions, candidates }) => (
            <li key={`${playbook}/${name}`}>
              <Link href={`/prompts/${playbook}/${name}`}>
                {playbook}/{name}
              </Link>
              <span className="quiet">
                {live === null ? 'no live version' : `version ${live.version} by ${visible(live.author)}`}
                {versions > 1 && ` · one of ${versions} versions`}
              </span>
              {candidates > 0 && <Badge tone="amber">{countOf(candidates, 'candidate')}</Badge>}
            </li>
          ))}
        </ul>
      ) : error !== null ? (
        <Failed what="The prompts could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={8} label="Prompts are loading" />
        </div>
      )}
    </>
  );
}
