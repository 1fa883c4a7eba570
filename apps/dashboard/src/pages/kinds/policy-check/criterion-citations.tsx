import { rich, t } from '../../../strings/text.js';
import type { CitableFact, CriterionResult, RefutedCitation, VerifiedCitation } from '@casefile/contracts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { percentText } from '../../../format/numbers.js';
import { visible } from '../../../format/visible.js';
import { Badge } from '../../../ui/badge.js';
import { pagesText, policyAddress } from '../../policy/policy-address.js';
import { absenceText, claimText, PROBLEM_WORDS, STATE_WORDS, valueText } from './criteria-words.js';

/** Citations that hold: each is supported by the policy, the facts, or a look-up without a result. */
export function VerifiedCitations({ result, facts }: { result: CriterionResult; facts: CitableFact[] }) {
  if (result.citations.length === 0)
    return <p className="quiet">{t('policyCheck.noCitationIsSupportedBy')}</p>;
  return (
    <div className="grounds">
      <h3>{t('policyCheck.restsOn')}</h3>
      <ul>
        {result.citations.map((citation, i) => (
          <li key={i}>
            <Ground citation={citation} policy={result.policy} facts={facts} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type Policy = CriterionResult['policy'];

function Ground({
  citation,
  policy,
  facts,
}: {
  citation: VerifiedCitation;
  policy: Policy;
  facts: CitableFact[];
}): ReactNode {
  if (citation.kind === 'absence') return visible(absenceText(citation));
  if (citation.kind === 'quote') {
    const { nodeId, quote, title, pages } = citation;
    return (
      <>
        <q dir="auto">{visible(quote)}</q>{' '}
        <Link href={policyAddress(policy, nodeId, quote)}>
          {[visible(title) || nodeId, pagesText(pages)].filter(Boolean).join(', ')}
        </Link>
      </>
    );
  }
  const read = facts.filter(({ id }) => citation.factIds.includes(id));
  return (
    <>
      <span className="mono">{visible(citation.fact)}</span>{' '}
      <strong>{visible(valueText(citation.value, citation.unit))}</strong>
      {read.map((fact) => (
        <span key={fact.id} className="quiet">
          {' '}
          · <Reading fact={fact} />
        </span>
      ))}
    </>
  );
}

/** Place of a fact in its document, and the confidence of the reading. */
export function Reading({ fact: { document, page, confidence } }: { fact: CitableFact }) {
  const place = [document, page === undefined ? undefined : `p. ${page}`].filter(Boolean).join(' ');
  return t('policyCheck.sure', {
    place: visible(place),
    comma: place === '' ? '' : ', ',
    sure: percentText(confidence).replace(' ', '\u00a0'),
  });
}

/** Citations that do not hold, with the problem of each and the existing ids. */
export function RefutedCitations({ result: { refuted, policy } }: { result: CriterionResult }) {
  if (refuted.length === 0) return null;
  return (
    <div className="grounds grounds-refuted">
      <h3>{t('policyCheck.notSupported')}</h3>
      <ul>
        {refuted.map((it, i) => (
          <li key={i}>
            <Refuted refuted={it} policy={policy} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Refuted({ refuted, policy }: { refuted: RefutedCitation; policy: Policy }) {
  const { citation, state, problem, instead } = refuted;
  const [wrong, there] = PROBLEM_WORDS[problem];
  return (
    <>
      <Badge tone="amber">{STATE_WORDS[state]}</Badge> <q dir="auto">{visible(claimText(citation))}</q>{' '}
      {citation.kind === 'quote' && (
        <SectionLink policy={policy} nodeId={citation.nodeId} exists={problem !== 'unknown_node'} />
      )}
      <p>
        {wrong} {instead.length > 0 && `${there}: `}
        {instead.map((it, i) => (
          <span key={i} className="instead" dir="auto">
            {problem === 'quote_elsewhere' && citation.kind === 'quote' ? (
              <Link href={policyAddress(policy, it, citation.quote)}>
                {rich('policyCheck.section', { it })}
              </Link>
            ) : (
              visible(it)
            )}
          </span>
        ))}
      </p>
    </>
  );
}

function SectionLink({ policy, nodeId, exists }: { policy: Policy; nodeId: string; exists: boolean }) {
  if (!exists)
    return <span className="mono quiet">{rich('policyCheck.section2', { nodeId: visible(nodeId) })}</span>;
  return <Link href={policyAddress(policy, nodeId)}>{rich('policyCheck.section2', { nodeId })}</Link>;
}
