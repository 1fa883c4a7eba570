import type { ReactNode } from 'react';
import './table.css';

/** A table that scrolls within its card if it is wider. The children are its `thead` and `tbody`. */
export function ScrollTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="table">{children}</table>
    </div>
  );
}
