import { t } from '../strings/text.js';
import { useState } from 'react';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import './json-view.css';

const SHOWN_CHARACTERS = 4_000;

/** A value as JSON. Long values are cut until the user expands them. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label={label} />;
}

/** Preformatted text. Long texts are cut until the user expands them. */
export function LongText({
  text,
  label,
  shown = SHOWN_CHARACTERS,
}: {
  text: string;
  label: string;
  shown?: number;
}) {
  const [all, setAll] = useState(false);
  const isCut = !all && text.length > shown;
  return (
    <div className="long-text">
      <pre tabIndex={0} role="group" aria-label={label}>
        {isCut ? `${text.slice(0, shown)}…` : text}
      </pre>
      <div className="long-text-actions">
        {text.length > shown && (
          <Button kind="bare" small onClick={() => setAll(!all)}>
            {all ? t('ui.showLess') : t('ui.showAllCharacters', { text: text.length.toLocaleString('en') })}
          </Button>
        )}
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
