import { t } from '../strings/text.js';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

interface ConfirmProps {
  open: boolean;
  title: string;
  /** Label of the button that confirms. */
  action: string;
  danger?: boolean;
  busy: boolean;
  children: ReactNode;
  close(): void;
  confirm(): void;
}

/** Asks for confirmation before an action with effects for others. */
export function Confirm({
  open,
  title,
  action,
  danger = false,
  busy,
  children,
  close,
  confirm,
}: ConfirmProps) {
  return (
    <Dialog open={open} title={title} alert close={close}>
      <p className="dialog-text">{children}</p>
      <div className="dialog-actions">
        <Button onClick={close}>{t('ui.cancel')}</Button>
        <Button kind={danger ? 'danger' : 'primary'} disabled={busy} onClick={confirm}>
          {busy ? t('ui.working') : action}
        </Button>
      </div>
    </Dialog>
  );
}
