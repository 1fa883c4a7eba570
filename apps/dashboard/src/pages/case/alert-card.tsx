import { rich, t } from '../../strings/text.js';
import type { MailAddress, MailReading, ShownAlert, ShownDisplay } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { shownParts } from '@casefile/contracts/display';
import { PayloadTable } from '../../ui/payload-table.js';
import { Stamp } from '../../ui/stamp.js';
import { NeedsReviewer } from '../../ui/withheld.js';
import { markedParts } from './marked-words.js';

/** The alert as it was received: text, image, payload. All of it is shown as plain text. */
export function AlertCard({ alert, mail, display, isWithheld, signs = NO_SIGNS }: AlertCardProps) {
  const { id, source, labels, receivedAt } = alert;
  return (
    <Anchored id={`alert-${id}`} name={t('case.theAlert')} className="card alert-card">
      <header className="card-head">
        <h2>{t('case.alert')}</h2>
        {source !== undefined && (
          <span className="quiet">{rich('case.from', { source: visible(source) })}</span>
        )}
        <AnchorLink id={`alert-${id}`} name="the alert" />
        <span className="card-end quiet">
          <Stamp at={receivedAt} />
        </span>
      </header>
      {mail !== null && <MailHead mail={mail} />}
      <AlertContent alert={alert} display={display} isWithheld={isWithheld} signs={signs} />
      {labels !== undefined && Object.keys(labels).length > 0 && (
        <ul className="chips">
          {Object.entries(labels).map(([name, value]) => (
            <li key={name} className="chip">
              <span className="quiet">{name}</span> {visible(value)}
            </li>
          ))}
        </ul>
      )}
    </Anchored>
  );
}

const NO_SIGNS: readonly string[] = [];

interface AlertCardProps extends Omit<AlertContentProps, 'signs'> {
  /** Words of the text to mark. Default: none. */
  signs?: readonly string[];
  /** What the brief read from the head of a mail; null: the alert is no mail, or the brief is not read yet. */
  mail: Pick<MailReading, 'from' | 'to' | 'replyTo'> | null;
}

/** The head of a mail, as mail programs show it. The text of the mail follows. */
function MailHead({ mail: { from, to, replyTo } }: { mail: NonNullable<AlertCardProps['mail']> }) {
  const rows: [string, readonly MailAddress[]][] = [
    [t('case.from2'), from === null ? [] : [from]],
    [t('case.to'), to],
    [t('case.replyTo'), replyTo],
  ];
  return (
    <dl className="payload-fields mail-head">
      {rows.map(([name, addresses]) =>
        addresses.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{addresses.map(addressText).join(', ')}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function addressText({ name, address }: MailAddress): string {
  return visible(name === '' ? address : `${name} <${address}>`);
}

interface AlertContentProps {
  alert: ShownAlert;
  /** undefined: not read yet, or the kind is not installed. */
  display: ShownDisplay | undefined;
  /** Whether the role of the reader does not get what the alert says. */
  isWithheld: boolean;
  /** Words of the text to mark. */
  signs: readonly string[];
}

/** Text, image and fields of an alert. Parts that a declared section shows already are closed. */
function AlertContent({ alert, display, isWithheld, signs }: AlertContentProps) {
  const { text = '', image, payload } = alert;
  const shown = shownParts(display?.sections ?? []);
  const parts = [
    ['text', text.trim() !== '' && <AlertText key="text" text={text} signs={signs} />],
    ['image', image !== undefined && <AlertImage key="image" image={image} />],
    [
      'payload',
      payload !== undefined && (
        <PayloadTable key="payload" payload={payload} labels={display?.labels ?? {}} />
      ),
    ],
  ] as const;
  const closed = parts.flatMap(([part, node]) => (shown.has(part) && node !== false ? [node] : []));
  return (
    <>
      {isWithheld && <NeedsReviewer what={t('case.whatTheAlertSays')} />}
      {parts.map(([part, node]) => !shown.has(part) && node)}
      {closed.length > 0 && (
        <details className="more">
          <summary>{t('case.asReceived')}</summary>
          {closed}
        </details>
      )}
    </>
  );
}

function AlertText({ text, signs }: { text: string; signs: readonly string[] }) {
  return (
    <blockquote className="alert-text" dir="auto">
      {markedParts(text, signs).map((part, i) =>
        part.isMarked ? <mark key={i}>{visible(part.text)}</mark> : visible(part.text),
      )}
    </blockquote>
  );
}

/** The image of an alert, which opens as it was received. */
export function AlertImage({ image }: { image: NonNullable<ShownAlert['image']> }) {
  return (
    <a href={image.url} target="_blank" rel="noopener" className="alert-image">
      <img src={image.url} alt={t('case.theImageOfTheAlert')} loading="lazy" />
    </a>
  );
}
