import type { ShownAlert } from '@casefile/contracts';
import { visible } from '../../format/visible.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { JsonView } from '../../ui/json-view.js';
import { Stamp } from '../../ui/stamp.js';

/** The alert as it was received: text, image, payload. Nothing in it is more than text. */
export function AlertCard({ alert }: { alert: ShownAlert }) {
  const { id, text, image, payload, source, labels, receivedAt } = alert;
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
      {text !== undefined && text.trim() !== '' && (
        <blockquote className="alert-text" dir="auto">
          {visible(text)}
        </blockquote>
      )}
      {image !== undefined && (
        <a href={image.url} target="_blank" rel="noopener" className="alert-image">
          <img src={image.url} alt="The image of the alert as it was received" loading="lazy" />
        </a>
      )}
      {payload !== undefined && <JsonView value={payload} label="the payload" />}
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
