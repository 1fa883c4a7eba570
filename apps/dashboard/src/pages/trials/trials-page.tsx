import { useEffect, useRef } from 'react';
import { useScrollToTarget } from '../../ui/anchored.js';
import { Batches } from './batch-list.js';
import { Experiments } from './experiment-list.js';
import '../../ui/page-part.css';

/** Page of all trials: batches judge past cases again, experiments judge new cases in two ways. */
export default function TrialsPage() {
  useEffect(() => void (document.title = 'Trials · Casefile'), []);
  const batches = useRef<HTMLElement>(null);
  useScrollToTarget('batches', batches);
  return (
    <>
      <div className="page-head">
        <h1>Trials</h1>
      </div>
      <section className="page-part" id="batches" ref={batches} aria-label="On past cases">
        <h2>On past cases: batches</h2>
        <Batches />
      </section>
      <section className="page-part" aria-label="On new cases">
        <h2>On new cases: experiments</h2>
        <Experiments />
      </section>
    </>
  );
}
