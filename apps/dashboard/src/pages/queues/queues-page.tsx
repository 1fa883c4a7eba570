import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
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
      <p className="quiet">The board shows workers on Redis; on the Postgres queue they are not known.</p>
      <iframe className="board panel" src="/queues" title="Queue board: the jobs of each stage and tool" />
    </>
  );
}
