import { t } from '../strings/text.js';
import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react';
import './menu.css';

/** A short message about an action that was just completed. */
export interface Toast {
  title: string;
  text?: string;
  isError?: boolean;
}

const SHOWN_MS = 8_000;

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/**
 * Returns a function that shows a message in a corner and announces it to screen readers. The message
 * disappears automatically.
 */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

/** Renders the messages of `useToast`. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly (Toast & { id: number })[]>([]);
  const last = useRef(0);
  // Each message has its own time, so that a new one does not keep the others.
  const add = useCallback((toast: Toast) => {
    const id = (last.current += 1);
    setToasts((before) => [...before, { ...toast, id }]);
    setTimeout(() => setToasts((before) => before.filter((one) => one.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" role="status" aria-label={t('shell.notifications')}>
        {toasts.map((toast) => (
          <div key={toast.id} className={toast.isError === true ? 'toast toast-error' : 'toast'}>
            <p className="toast-title">{toast.title}</p>
            {toast.text !== undefined && <p className="toast-text">{toast.text}</p>}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
