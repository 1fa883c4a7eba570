import { useEffect, useId, useRef, type ReactNode } from 'react';
import '../shell/menu.css';
import { cx } from './cx.js';

interface DialogProps {
  open: boolean;
  title: string;
  /** true: the dialog needs an answer, so a click outside does not close it. */
  alert?: boolean;
  className?: string;
  close(): void;
  children: ReactNode;
}

/** A native dialog. It keeps the focus, closes on Escape, and returns the focus to the previous element. */
export function Dialog({ open, title, alert = false, className, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={cx('dialog', className)}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={id}
      aria-describedby={alert ? `${id}-text` : undefined}
      onClose={close}
      onClick={({ target }) => {
        if (!alert && target === dialog.current) close();
      }}
    >
      {open && (
        <div className="dialog-body">
          <h2 id={id} className="dialog-title">
            {title}
          </h2>
          <div id={`${id}-text`}>{children}</div>
        </div>
      )}
    </dialog>
  );
}
