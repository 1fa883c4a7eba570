import { counted, rich, t } from '../../strings/text.js';
import { matcherText } from '@casefile/contracts/silence-matchers';
import { Link } from 'wouter';
import { useSilences } from '../../api/silences.js';
import { visible } from '../../format/visible.js';
import { Stamp } from '../../ui/stamp.js';

/** Silences in force with what each withheld; nothing if there are none. */
export function OpenSilences() {
  const { data } = useSilences();
  const open = data?.silences.filter(({ state, problem }) => state === 'active' && problem === null) ?? [];
  if (open.length === 0) return null;
  return (
    <section className="panel silences-in-force" aria-label={t('home.openSilences')}>
      <header className="panel-head">
        <h2>{rich('home.inForce', { open: counted('count.silence', open.length) })}</h2>
        <Link href="/operate/destinations#silences">{t('home.allSilences')}</Link>
      </header>
      <div className="panel-body">
        <ul className="open-silences">
          {open.map(({ id, matchers, endsAt, author, reason, withheld }) => (
            <li key={id}>
              {rich('home.untilWithheld', {
                span: <span className="mono">{visible(matchers.map(matcherText).join(', '))}</span>,
                stamp: <Stamp at={endsAt} />,
                messages: counted('count.message', withheld.messages),
                critical: withheld.critical > 0 && t('home.critical', { critical: withheld.critical }),
                span2: (
                  <span className="quiet">
                    {rich('home.by', { reason: visible(reason), author: visible(author) })}
                  </span>
                ),
              })}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
