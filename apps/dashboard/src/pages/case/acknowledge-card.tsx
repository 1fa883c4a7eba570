import { t } from '../../strings/text.js';
import type { Acknowledged } from '@casefile/contracts';
import { useMutation } from '@tanstack/react-query';
import { postJson } from '../../api/request.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';

/**
 * Asks whether to acknowledge the page of a case. The link of a page leads here. Only the button acts,
 * because programs also open links.
 */
export function AcknowledgeCard({ caseId }: { caseId: string }) {
  const act = useMutation({
    mutationFn: () => postJson<Acknowledged>(`/cases/${encodeURIComponent(caseId)}/acknowledge`, {}),
  });
  return (
    <section className="card" aria-label={t('case.acknowledgeThePage')}>
      <div className="card-body">
        <p>{t('case.youWerePagedForThis')}</p>
        <p role="status">
          {act.isSuccess && acknowledgedText(act.data)}
          {act.isError && errorMessage(act.error)}
        </p>
        {!act.isSuccess && (
          <Button kind="primary" disabled={act.isPending} onClick={() => act.mutate()}>
            {t('case.acknowledgeThePage')}
          </Button>
        )}
      </div>
    </section>
  );
}

function acknowledgedText({ destinations }: Acknowledged): string {
  if (destinations.length === 0) return t('case.acknowledged');
  return t('case.acknowledgedAtThePagerReceives', { destinations: destinations.join(', ') });
}
