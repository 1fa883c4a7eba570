import { rich } from '../strings/text.js';
import type { ShownCase } from '@casefile/contracts';
import { Lock } from 'lucide-react';
import { createContext, useContext } from 'react';

type Withheld = NonNullable<ShownCase['withheld']>;

/** Classes of fields that the server withheld from the page. */
export const WithheldFields = createContext<Withheld>([]);

/** Returns whether the role of the reader does not get the fields of a class. */
export function useIsWithheld(mark: Withheld[number]): boolean {
  return useContext(WithheldFields).includes(mark);
}

/** Takes the place of fields that the role of the reader does not get. @param what names them, as a subject. */
export function NeedsReviewer({ what }: { what: string }) {
  return (
    <p className="quiet needs-role">
      {rich('ui.needsTheRoleReviewer', { lock: <Lock aria-hidden="true" size={12} />, what })}
    </p>
  );
}
