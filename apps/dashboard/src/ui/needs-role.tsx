import { t } from '../strings/text.js';
import type { Role } from '@casefile/contracts';
import { Empty } from './states.js';

/** Takes the place of a page that the role of the reader may not use. */
export function NeedsRole({ what, role }: { what: string; role: Role }) {
  return <Empty title={t('ui.needsTheRole', { what, role })}>{t('ui.anAdministratorOfCasefileGives')}</Empty>;
}
