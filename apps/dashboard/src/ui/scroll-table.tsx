import type { ReactNode } from 'react';
import './table.css';

/** A part of a card that scrolls if its table is wider than the card. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** A table whose cells belong to rows and columns alike, such as a matrix. The children are its `thead` and `tbody`. */
export function ScrollTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollRegion label={label}>
      <table className="table">{children}</table>
    </ScrollRegion>
  );
}
