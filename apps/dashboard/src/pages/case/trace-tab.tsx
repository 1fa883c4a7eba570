import { t } from '../../strings/text.js';
import type { ShownCase, ShownRun } from '@casefile/contracts';
import { useTarget } from '../../ui/anchored.js';
import { evidenceLinks } from './evidence-places.js';
import { InteractionCard } from './interaction-card.js';
import { RunFacts } from './run-facts.js';
import { isStep, runTimeline, type TimelineSection } from './timeline.js';
import { Section } from './timeline-view.js';
import { Call } from './tool-call.js';
import { RunWaterfall } from './waterfall.js';

/** The steps of a run on a time axis, next to the selected one: prompt, reasoning, answer, tokens and cost. */
export default function TraceTab({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  const target = useTarget();
  const sections = runTimeline(run);
  const selected = isStep(run, target) ? target : (firstSection(sections)?.id ?? null);
  return (
    <>
      <RunFacts shown={shown} run={run} />
      <div className="trace-columns">
        <section className="card waterfall" aria-label={t('case.steps')} tabIndex={0}>
          <RunWaterfall run={run} selected={selected} />
        </section>
        <div className="trace-step" role="region" aria-label={t('case.selectedStep')} tabIndex={0}>
          {selected !== null && <Step run={run} sections={sections} id={selected} />}
        </div>
      </div>
    </>
  );
}

// Until a step is selected: the one under way, or else the first one that called a model.
function firstSection(sections: readonly TimelineSection[]): TimelineSection | undefined {
  return (
    sections.find(({ isCurrent }) => isCurrent) ??
    sections.find(({ interactions }) => interactions.length > 0) ??
    sections[0]
  );
}

function Step({ run, sections, id }: { run: ShownRun; sections: readonly TimelineSection[]; id: string }) {
  const section = sections.find((one) => one.id === id);
  if (section !== undefined) return <Section run={run} section={section} />;
  const call = run.toolCalls.find((one) => `tool-${one.id}` === id);
  if (call !== undefined)
    return (
      <div className="card">
        <Call call={call} isOpen />
      </div>
    );
  const interaction = run.interactions.find((one) => `interaction-${one.id}` === id);
  const among = sections.find(({ interactions }) => interactions.some((one) => one === interaction));
  if (interaction === undefined || among === undefined) return null;
  return (
    <InteractionCard
      interaction={interaction}
      among={among.interactions}
      links={evidenceLinks(run, interaction.unit)}
    />
  );
}
