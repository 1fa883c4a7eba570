import { t } from '../strings/text.js';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.js';

const SHOWN_MS = 1_600;

/** Copies `text` to the clipboard and reports whether that succeeded. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('done'),
      () => setState('failed'),
    );
  };
  const words = { idle: t('ui.copy'), done: t('ui.copied'), failed: t('ui.notAllowed') }[state];
  return (
    <Button kind="bare" small onClick={copy} aria-label={t('ui.copy2', { label })}>
      {state === 'done' ? <Check aria-hidden="true" size={13} /> : <Copy aria-hidden="true" size={13} />}
      <span role="status">{words}</span>
    </Button>
  );
}
