import { Toast } from '@base-ui/react/toast';
import './menu.css';

/** Short messages about what was just done. `Toast.useToastManager().add` shows one. */
export function Toasts() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast">
            <Toast.Title className="toast-title" />
            <Toast.Description className="toast-text" />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
