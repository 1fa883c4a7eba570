import { matcherText } from '@casefile/contracts/silence-matchers';
import { Link } from 'wouter';
import { useSilences } from '../../api/silences.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Stamp } from '../../ui/stamp.js';

/** Silences in force with what each withheld; nothing if there are none. */
export function OpenSilences() {
  const { data } = useSilences();
  const open = data?.silences.filter(({ state, problem }) => state === 'active' && problem === null) ?? [];
  if (open.length === 0) return null;
  return (
    <section className="panel silences-in-force" aria-label="Open silences">
      <header className="panel-head">
        <h2>{countOf(open.length, 'silence')} in force</h2>
        <Link href="/operate/destinations#silences">All silences</Link>
      </header>
      <div className="panel-body">
        <ul className="open-silences">
          {open.map(({ id, matchers, endsAt, author, reason, withheld }) => (
            <li key={id}>
              <span className="mono">{visible(matchers.map(matcherText).join(', '))}</span> until{' '}
              <Stamp at={endsAt} />: {countOf(withheld.messages, 'message')} withheld
              {withheld.critical > 0 && ` (${withheld.critical} critical)`}.{' '}
              <span className="quiet">
                {visible(reason)}, by {visible(author)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
