import { ROW } from '../../ui/walk-rows.js';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { ModelSpend, PipelineView, ProviderFigures, TriedProvider } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMeta } from '../../api/queries.js';
import { postJson } from '../../api/request.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Stamp } from '../../ui/stamp.js';

const CIRCUIT_TONES: Record<ProviderFigures['state'], Tone> = {
  closed: 'green',
  'half-open': 'amber',
  open: 'red',
};
const CIRCUIT_WORDS: Record<ProviderFigures['state'], string> = {
  closed: 'answering',
  'half-open': 'probing',
  open: 'not asked',
};

/** Models that did not answer at start, and providers with recent failures and their circuit states. */
export function Circuits({
  providers,
  models,
  probes = [],
}: {
  providers: ProviderFigures[];
  models: ModelSpend[];
  probes?: PipelineView['probes'];
}) {
  const hasNone = useMeta().data?.provider === 'none';
  const silent = probes.filter(({ answers }) => !answers);
  if (providers.length + silent.length === 0)
    return <p className="quiet">{noTroubleText(models.length > 0, hasNone)}</p>;
  return (
    <ul className="circuits">
      {silent.map(({ provider, model, why }) => (
        <li key={`${provider}/${model}`} {...ROW}>
          <strong>{provider}</strong>
          <Badge tone="amber" dot="still">
            did not answer at start
          </Badge>
          <span className="quiet">
            {model}: {why}
          </span>
        </li>
      ))}
      {providers.map((figures) => (
        <Circuit key={figures.provider} figures={figures} />
      ))}
    </ul>
  );
}

function Circuit({ figures: { provider, state, reasonCode, until } }: { figures: ProviderFigures }) {
  return (
    <li>
      <strong>{provider}</strong>
      <Badge
        tone={CIRCUIT_TONES[state]}
        dot={state === 'half-open' ? 'hollow' : 'still'}
        title={`Circuit ${state}`}
      >
        {CIRCUIT_WORDS[state]}
      </Badge>
      {reasonCode !== null && <span className="quiet">{reasonInWords(reasonCode)}</span>}
      {until !== null && (
        <span className="quiet">
          until <Stamp at={until} clock />
        </span>
      )}
      {state !== 'closed' && <TryNow provider={provider} />}
    </li>
  );
}

/** Lets one call through immediately. */
function TryNow({ provider }: { provider: string }) {
  const client = useQueryClient();
  const attempt = useMutation({
    mutationFn: () => postJson<TriedProvider>(`/providers/${encodeURIComponent(provider)}/try`, {}),
    onSettled: () => void client.invalidateQueries({ queryKey: ['pipeline'] }),
  });
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={attempt.isPending}
        onClick={() => attempt.mutate()}
        aria-label={`Try ${provider} now`}
      >
        Try now
      </button>
      <span className="quiet" role="status">
        {attempt.isSuccess && 'The next call tries the provider again.'}
        {attempt.isError && attempt.error.message}
      </span>
    </>
  );
}

function noTroubleText(wasAsked: boolean, hasNone: boolean): string {
  if (wasAsked) return 'All providers answer.';
  return hasNone
    ? 'No model is configured: verdicts come from rules.'
    : 'No provider was called in the last 24 hours.';
}
