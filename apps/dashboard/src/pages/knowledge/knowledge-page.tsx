import { useEffect } from 'react';
import { Imports } from './imports.js';
import { PolicyList } from './policy-list.js';
import { RunbookList } from './runbook-list.js';
import '../../ui/page-part.css';

/** Page of the knowledge that people import: policies and runbooks. */
export default function KnowledgePage() {
  useEffect(() => void (document.title = 'Knowledge · Casefile'), []);
  return (
    <>
      <div className="page-head">
        <h1>Knowledge</h1>
      </div>
      <Imports />
      <section className="page-part" aria-label="Policies">
        <h2>Policies</h2>
        <PolicyList />
      </section>
      <section className="page-part" aria-label="Runbooks">
        <h2>Runbooks</h2>
        <RunbookList />
      </section>
    </>
  );
}
