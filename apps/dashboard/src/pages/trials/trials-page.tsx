import { useEffect, useRef } from 'react';
import { useScrollToTarget } from '../../ui/anchored.js';
import { Batches } from './batch-list.js';
import { TrialList } from './trial-list.js';
import '../../ui/page-part.css';

/** Page of all trials, and of batches that change nothing, such as degraded cases judged again. */
export default function TrialsPage() {
  useEffect(() => void (document.title = 'Trials · Casefile'), []);
  const batches = useRef<HTMLElement>(null);
  useScrollToTarget('batches', batches);
  return (
    <>
      <div className="page-head">
        <h1>Trials</h1>
      </div>
      <section className="page-part" aria-label="Trials">
        <TrialList />
      </section>
      <section className="page-part" id="batches" ref={batches} aria-label="Judged again">
        <h2>Judged again without a change of one kind</h2>
        <Batches />
      </section>
    </>
  );
}
