import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.js';

interface ConfirmProps {
  open: boolean;
  title: string;
  /** The word on the button that does it. */
  action: string;
  danger?: boolean;
  busy: boolean;
  children: ReactNode;
  close(): void;
  confirm(): void;
}

/** Asks before something is done that others will notice. */
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
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-text">{children}</AlertDialog.Description>
          <div className="dialog-actions">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <Button kind={danger ? 'danger' : 'primary'} disabled={busy} onClick={confirm}>
              {busy ? 'Working …' : action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
