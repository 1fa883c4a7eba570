import type { ShownAlert, ShownDisplay } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { shownParts } from '@casefile/contracts/display';
import { PayloadTable } from '../../ui/payload-table.js';
import { Stamp } from '../../ui/stamp.js';
import { NeedsReviewer } from '../../ui/withheld.js';

/** The alert as it was received: text, image, payload. All of it is shown as plain text. */
export function AlertCard({ alert, display, isWithheld }: AlertContentProps) {
  const { id, source, labels, receivedAt } = alert;
  return (
    <Anchored id={`alert-${id}`} name="The alert" className="card alert-card">
      <header className="card-head">
        <h2>Alert</h2>
        {source !== undefined && <span className="quiet">from {visible(source)}</span>}
        <AnchorLink id={`alert-${id}`} name="the alert" />
        <span className="card-end quiet">
          <Stamp at={receivedAt} />
        </span>
      </header>
      <AlertContent alert={alert} display={display} isWithheld={isWithheld} />
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

interface AlertContentProps {
  alert: ShownAlert;
  /** undefined: not read yet, or the kind is not installed. */
  display: ShownDisplay | undefined;
  /** Whether the role of the reader does not get what the alert says. */
  isWithheld: boolean;
}

/** Text, image and fields of an alert. Parts that a declared section shows already are closed. */
export function AlertContent({ alert, display, isWithheld }: AlertContentProps) {
  const { text = '', image, payload } = alert;
  const shown = shownParts(display?.sections ?? []);
  const parts = [
    ['text', text.trim() !== '' && <AlertText key="text" text={text} />],
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
      {isWithheld && <NeedsReviewer what="What the alert says" />}
      {parts.map(([part, node]) => !shown.has(part) && node)}
      {closed.length > 0 && (
        <details className="more">
          <summary>As received</summary>
          {closed}
        </details>
      )}
    </>
  );
}

function AlertText({ text }: { text: string }) {
  return (
    <blockquote className="alert-text" dir="auto">
      {visible(text)}
    </blockquote>
  );
}

/** The image of an alert, which opens as it was received. */
export function AlertImage({ image }: { image: NonNullable<ShownAlert['image']> }) {
  return (
    <a href={image.url} target="_blank" rel="noopener" className="alert-image">
      <img src={image.url} alt="The image of the alert as it was received" loading="lazy" />
    </a>
  );
}
