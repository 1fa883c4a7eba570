import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
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
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const add = useCallback((toast: Toast) => setToasts((before) => [...before, toast]), []);
  useEffect(() => {
    if (toasts.length === 0) return;
    const timer = setTimeout(() => setToasts((before) => before.slice(1)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toasts]);
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" role="status" aria-label="Notifications">
        {toasts.map((toast, index) => (
          <div key={index} className={toast.isError === true ? 'toast toast-error' : 'toast'}>
            <p className="toast-title">{toast.title}</p>
            {toast.text !== undefined && <p className="toast-text">{toast.text}</p>}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
