import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
import { useQueues } from '../../api/queries.js';
import { Failed, Skeleton } from '../../ui/states.js';
import './queues.css';

/** The queue board, with every job of every queue. */
export default function QueuesPage() {
  useEffect(() => void (document.title = 'Queues · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Queues</h1>
        <a className="button" href="/queues">
          <ExternalLink aria-hidden="true" size={14} /> Only the board
        </a>
      </div>
      <Board />
    </>
  );
}

/** The board, or why there is none: its own page would stay empty while the queue store does not answer. */
function Board() {
  const { data, error, refetch } = useQueues();
  if (error !== null)
    return (
      <div className="panel">
        <Failed what="The queues could not be read" error={error} retry={() => void refetch()} />
      </div>
    );
  if (data === undefined)
    return (
      <div className="panel">
        <Skeleton lines={9} label="The queues are loading" />
      </div>
    );
  return (
    <>
      <p className="quiet">The board shows workers on Redis; on the Postgres queue they are not known.</p>
      <iframe className="board panel" src="/queues" title="Queue board: the jobs of each stage and tool" />
    </>
  );
}
