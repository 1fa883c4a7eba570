import { rich, t } from '../../strings/text.js';
import { Tabs } from '@base-ui/react/tabs';
import type { Interaction, InteractionState, Json } from '@casefile/contracts';
import { Sparkles } from 'lucide-react';
import { countText, moneyText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { ReasoningDisplay } from '../../reasoning/reasoning-display.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { JsonView, LongText } from '../../ui/json-view.js';
import type { EvidenceLinks } from '../../ui/link-citations.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { Reason } from '../../ui/reason.js';
import { NeedsReviewer, useIsWithheld } from '../../ui/withheld.js';
import { Figures } from './figures.js';
import { requestMessages } from './request-messages.js';

const TONES: Record<InteractionState, Tone> = {
  pending: 'blue',
  completed: 'green',
  failed: 'red',
  ambiguous: 'amber',
};
const MEANINGS: Record<InteractionState, string> = {
  pending: t('case.inProgress'),
  completed: t('case.answered'),
  failed: t('case.noAnswer3'),
  ambiguous: t('case.theWorkerDiedDuringThis'),
};

interface InteractionCardProps {
  interaction: Interaction;
  /** Interactions of the same stage, to count attempts. */
  among: Interaction[];
  /** Links to the evidence that the answer can cite. */
  links: EvidenceLinks;
}

/** One model call: request, reasoning, answer and cost. */
export function InteractionCard({ interaction, among, links }: InteractionCardProps) {
  const { id, step, attempt, provider, model, promptId, state, errorCode } = interaction;
  const ofTool = interaction.toolCallId ?? null;
  const siblings = among.filter((it) => (it.toolCallId ?? null) === ofTool);
  const attempts = siblings.filter((it) => it.step === step).length;
  // Steps are numbered in ranges by purpose, so the number shown is the position of the step among them.
  const number = [...new Set(siblings.map((it) => it.step))].indexOf(step) + 1;
  const place = `interaction-${id}`;
  const isWithheld = useIsWithheld('reasoning');
  return (
    <Anchored id={place} name={t('case.modelCallAttempt', { number, attempt })} className="card interaction">
      <header className="card-head">
        <Sparkles aria-hidden="true" size={14} className="interaction-icon" />
        <h3>{rich('case.modelCall', { number })}</h3>
        {ofTool !== null && <a href={`#tool-${ofTool}`}>{t('case.ofATool')}</a>}
        {attempts > 1 && <span className="quiet">{rich('case.attemptOf', { attempt, attempts })}</span>}
        <Badge tone={TONES[state]} dot={state === 'pending' ? 'pulse' : 'still'} title={MEANINGS[state]}>
          {state}
        </Badge>
        {errorCode !== null && (
          <span className="error-code">
            <Reason code={errorCode} />
          </span>
        )}
        <AnchorLink id={place} name={t('case.modelCall2', { number })} />
        <span className="card-end quiet cut" title={`${provider} · ${model}`}>
          {model}
        </span>
      </header>
      <CallFigures interaction={interaction} />
      {isWithheld ? (
        <NeedsReviewer what={t('case.theExchangeWithTheModel')} />
      ) : (
        <>
          {state !== 'pending' && <ReasoningDisplay reasoning={interaction} of={callName(interaction)} />}
          <Parts interaction={interaction} promptId={promptId} links={links} />
        </>
      )}
    </Anchored>
  );
}

/** Returns a name of a model call that is unique in its run. */
export function callName({ step, attempt, stage, round, unit, toolCallId }: Interaction): string {
  const of = [stage, t('case.round', { round }), unit, toolCallId ?? ''].filter((part) => part !== '');
  return t('case.modelCallAttempt2', { step, attempt, of: of.join(', ') });
}

function CallFigures({ interaction }: { interaction: Interaction }) {
  const { usage, costUsd, latencyMs, finishReason, promptId } = interaction;
  const figures: [string, string | null][] = [
    ['prompt', promptId],
    ['in', usage.inputTokens > 0 ? countText(usage.inputTokens) : null],
    ['out', usage.outputTokens > 0 ? countText(usage.outputTokens) : null],
    ['reasoning', usage.reasoningTokens > 0 ? countText(usage.reasoningTokens) : null],
    ['cached', usage.cachedTokens > 0 ? countText(usage.cachedTokens) : null],
    ['cost', interaction.state === 'completed' ? moneyText(costUsd) : null],
    ['latency', latencyMs === null ? null : durationText(latencyMs)],
    [t('case.endedBy'), finishReason],
  ];
  return <Figures figures={figures} />;
}

function Parts({ interaction, promptId, links }: Omit<InteractionCardProps, 'among'> & { promptId: string }) {
  const messages = requestMessages(interaction.request);
  const calls = Array.isArray(interaction.toolCalls) ? interaction.toolCalls : [];
  return (
    <Tabs.Root defaultValue={firstTab(interaction, calls.length)} className="parts">
      <Tabs.List className="tabs" aria-label={t('case.partsOfTheModelCall')}>
        <Tabs.Tab value="answer" className="tab">
          {t('case.answer')}
        </Tabs.Tab>
        {calls.length > 0 && (
          <Tabs.Tab value="calls" className="tab">
            {rich('case.toolCalls', { calls: calls.length })}
          </Tabs.Tab>
        )}
        <Tabs.Tab value="prompt" className="tab">
          {t('case.prompt')}
        </Tabs.Tab>
        <Tabs.Tab value="response" className="tab">
          {t('case.responseAsReceived')}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="answer" className="tab-panel">
        <Answer content={interaction.content} links={links} />
      </Tabs.Panel>
      {calls.length > 0 && (
        <Tabs.Panel value="calls" className="tab-panel">
          <JsonView value={calls} label={t('case.theToolCalls')} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="prompt" className="tab-panel">
        <p className="quiet prompt-id">
          <code>{promptId}</code>
        </p>
        {messages.map((message, index) => (
          <div key={index} className="message">
            <h4>{message.role}</h4>
            <LongText
              text={visible(message.text)}
              label={t('case.theMessage', { role: message.role })}
              shown={2_500}
            />
          </div>
        ))}
      </Tabs.Panel>
      <Tabs.Panel value="response" className="tab-panel">
        <JsonView value={interaction.response} label={t('case.theResponse')} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

// A turn that only calls tools has no text.
function firstTab({ state, content }: Interaction, calls: number): string | null {
  if (state !== 'completed') return null;
  return calls > 0 && (content ?? '').trim() === '' ? 'calls' : 'answer';
}

function Answer({ content, links }: { content: string | null; links: EvidenceLinks }) {
  if (content === null || content.trim() === '') return <p className="quiet">{t('case.noAnswerAsText')}</p>;
  const parsed = jsonIn(content);
  if (parsed !== undefined) return <JsonView value={parsed} label={t('case.theAnswer4')} />;
  return <SafeMarkdown text={visible(content)} links={links} />;
}

function jsonIn(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' ? value : undefined;
  } catch {
    // Text that is not JSON is prose.
    return undefined;
  }
}
