import type { ShownAuditCheck } from '@casefile/contracts';
import { useState } from 'react';
import { useAuditCheck } from '../../api/audit.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { errorMessage } from '../../ui/states.js';

/** Checks the chain of the log, against a head noted earlier if one is entered. */
export function AuditCheck() {
  const [head, setHead] = useState('');
  const check = useAuditCheck();
  return (
    <section className="panel audit-check" aria-label="Check of the log">
      <p className="quiet">
        Each entry has the hash of the entry before. A check finds changed, removed and moved entries. With a
        head that was noted elsewhere, it also finds entries that are missing at the end.{' '}
        <a href="/docs/operate/audit">Audit log</a>
      </p>
      <form
        className="audit-filters"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate(head.trim());
        }}
      >
        <label className="labelled-field">
          <span>Noted head</span>
          <input
            className="field audit-head"
            placeholder="COUNT:HASH"
            value={head}
            onChange={(event) => setHead(event.target.value)}
          />
        </label>
        <Button type="submit" disabled={check.isPending}>
          {check.isPending ? 'Checking …' : 'Check'}
        </Button>
      </form>
      <div role="status">
        {check.isError && <p className="audit-bad">{errorMessage(check.error)}</p>}
        {check.data !== undefined && <Result checked={check.data} />}
      </div>
    </section>
  );
}

function Result({ checked: { count, problems, findings, head } }: { checked: ShownAuditCheck }) {
  return (
    <>
      <p className={problems === 0 ? undefined : 'audit-bad'}>
        {problems === 0
          ? `No problem in ${countOf(count, 'entry', 'entries')}.`
          : `${countOf(problems, 'problem')} in ${countOf(count, 'entry', 'entries')}.`}
      </p>
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={finding}>{visible(finding)}</li>
          ))}
        </ul>
      )}
      <p className="quiet audit-noted">
        <span>Head:</span> <span className="mono">{head}</span> <CopyButton text={head} label="the head" />
      </p>
    </>
  );
}
