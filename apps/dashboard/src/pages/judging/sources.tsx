import { t } from '../../strings/text.js';
import type { EvidenceItem, ShownRun, ToolCall } from '@casefile/contracts';
import { evidenceSources, readByCalls } from '../case/evidence-places.js';
import { EvidenceCard, Gaps } from '../case/evidence-section.js';
import { Call } from '../case/tool-call.js';

/** All that the answer can cite, the cited sources first: evidence, look-ups of the model, and gaps. */
export function Sources({ run }: { run: ShownRun }) {
  const cited = new Set(run.verdict?.citations);
  const sources = evidenceSources(run);
  const isCited = ({ item }: { item: EvidenceItem }) => cited.has(item.id);
  const results = sources.filter(({ item }) => item.success);
  const gaps = sources.filter(({ item }) => !item.success);
  const inOrder = [...results].sort((a, b) => Number(isCited(b)) - Number(isCited(a)));
  const calls = citableCalls(run);
  return (
    <section className="sources" aria-label={t('judging.evidence')}>
      <h2>{t('judging.evidence')}</h2>
      {results.length + calls.length === 0 && <p className="quiet">{t('judging.noToolReturnedEvidence')}</p>}
      {inOrder.map(({ unit, item }) => (
        <EvidenceCard key={`${unit} ${item.id}`} item={item} unit={unit} isCited={cited.has(item.id)} />
      ))}
      {calls.length > 0 && (
        <ul className="tool-calls card">
          {calls.map(({ id, call }) => (
            <li key={call.id}>
              <Call call={call} citedAs={id} />
            </li>
          ))}
        </ul>
      )}
      <Gaps gaps={gaps} />
    </section>
  );
}

/** Returns the look-ups of the model that its answer can cite, each with its id. */
function citableCalls(run: ShownRun): { id: string; call: ToolCall }[] {
  const calls = new Map(run.toolCalls.map((call) => [call.id, call]));
  const units = [...new Set(run.artifacts.map(({ unit }) => unit))];
  const read = units.flatMap((unit) => readByCalls(run, unit));
  const listed = read.flatMap(({ id, toolCallId }) => {
    const call = calls.get(toolCallId);
    return call === undefined ? [] : [{ id, call }];
  });
  return listed.filter(({ call }, i) => listed.findIndex((one) => one.call.id === call.id) === i);
}
