import { rich, t } from '../../../strings/text.js';
import type { CriterionResult, CriterionStatus, ShownRun } from '@casefile/contracts';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import { Check, ChevronRight, CircleHelp, X } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { countText, moneyText, percentText } from '../../../format/numbers.js';
import { visible } from '../../../format/visible.js';
import { inWords } from '../../../format/words.js';
import { Badge } from '../../../ui/badge.js';
import { SafeMarkdown } from '../../../ui/markdown.js';
import '../../case/criteria.css';
import { evidenceLinks } from '../../case/evidence-places.js';
import { Figures } from '../../case/figures.js';
import { UnitBadge } from '../../case/unit-badge.js';
import { policyAddress } from '../../policy/policy-address.js';
import type { KindView } from '../kind-view.js';
import { STATUS_WORDS, valueText } from './criteria-words.js';
import {
  combinationText,
  countsText,
  runCriteriaInput,
  criterionRows,
  type CriteriaInput,
  type CriterionRow,
} from './criteria.js';
import { Reading, RefutedCitations, VerifiedCitations } from './criterion-citations.js';
import { Trace } from './trace-view.js';

/**
 * View of a case that is checked by criteria: the result of each criterion, their combination, and the facts.
 */
export const criteriaView: KindView = { Card, Why, Brief };

function Card({ run }: { run: ShownRun }) {
  const input = runCriteriaInput(run);
  return input === null ? null : <CriteriaCard run={run} input={input} />;
}

// The rule that combines the criteria, and the results that it was applied to.
function Why({ run }: { run: ShownRun }) {
  const input = runCriteriaInput(run);
  if (input === null) return null;
  return (
    <p className="combination">
      {combinationText(input)}: <span className="num">{countsText(criterionRows(run, input))}</span>.
    </p>
  );
}

function Brief({ run }: { run: ShownRun }) {
  const facts = runCriteriaInput(run)?.facts ?? [];
  if (facts.length === 0) return null;
  return (
    <dl className="result">
      {facts.map((fact) => (
        <div key={fact.id}>
          <dt className="mono">{visible(fact.name)}</dt>
          <dd>
            {visible(valueText(fact.value, fact.unit))}{' '}
            <span className="quiet">
              <Reading fact={fact} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SHAPES = { MET: Check, NOT_MET: X, UNCERTAIN: CircleHelp } as const;

/** A status as a word with a symbol. */
function StatusBadge({ status }: { status: CriterionStatus }) {
  const { words, tone } = STATUS_WORDS[status];
  const Shape = SHAPES[status];
  return (
    <Badge tone={tone}>
      <Shape aria-hidden="true" size={13} strokeWidth={2.5} />
      {words}
    </Badge>
  );
}

/** Every criterion of the case with its result. `?criterion=` names the open one. */
function CriteriaCard({ run, input }: { run: ShownRun; input: CriteriaInput }) {
  const [search, setSearch] = useSearchParams();
  const rows = criterionRows(run, input);
  const open = search.get('criterion');
  const toggle = (id: string): void =>
    setSearch(
      (before) => {
        if (id === open) before.delete('criterion');
        else before.set('criterion', id);
        return before;
      },
      { replace: true },
    );
  return (
    <section className="card criteria" aria-label={t('policyCheck.criteria')}>
      <header className="card-head">
        <h2>{t('policyCheck.criteria')}</h2>
        <span className="quiet num">{countsText(rows)}</span>
        <Link href={policyAddress(input.policy)} className="card-end">
          {rich('policyCheck.version', { title: visible(input.policy.title), version: input.policy.version })}
        </Link>
      </header>
      <p className="criteria-rule">{combinationText(input)}.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('policyCheck.criterion')}</th>
            <th scope="col">{t('policyCheck.status')}</th>
            <th scope="col" className="num">
              {t('policyCheck.confidence')}
            </th>
            <th scope="col" className="num wide">
              {t('policyCheck.turns')}
            </th>
            <th scope="col" className="num wide">
              {t('policyCheck.tokens')}
            </th>
            <th scope="col" className="num wide">
              {t('policyCheck.cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.id}>
              <Row row={row} isOpen={row.id === open} toggle={() => toggle(row.id)} />
              {row.id === open && (
                <tr className="criterion-open">
                  <td colSpan={6} id={`criterion-${row.id}`}>
                    <CriterionView run={run} row={row} input={input} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row, isOpen, toggle }: { row: CriterionRow; isOpen: boolean; toggle(): void }) {
  const { id, text, result } = row;
  const line = useRef<HTMLTableRowElement>(null);
  const openAtFirst = useRef(isOpen);
  useEffect(() => {
    if (openAtFirst.current && window.location.hash === '')
      line.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <tr ref={line} className="criterion-row">
      <th scope="row">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `criterion-${id}` : undefined}
          onClick={toggle}
        >
          <ChevronRight aria-hidden="true" size={14} />
          <span>
            <span className="criterion-text" dir="auto">
              {visible(text)}
            </span>
            <span className="mono quiet">{id}</span>
          </span>
        </button>
        {result?.reasonCode != null && (
          <span className="criterion-why" title={result.reasonCode}>
            {reasonInWords(result.reasonCode)}
          </span>
        )}
      </th>
      <td>{result === null ? <Undecided row={row} /> : <StatusBadge status={result.status} />}</td>
      {result === null ? <td colSpan={4} className="quiet num" /> : <FigureCells result={result} />}
    </tr>
  );
}

function FigureCells({ result: { confidence, iterations, tokens, costUsd } }: { result: CriterionResult }) {
  return (
    <>
      <td className="num">{percentText(confidence)}</td>
      <td className="num wide">{iterations}</td>
      <td className="num wide">{countText(tokens.input + tokens.output)}</td>
      <td className="num wide">{moneyText(costUsd)}</td>
    </>
  );
}

function Undecided({ row: { unit } }: { row: CriterionRow }) {
  return <UnitBadge unit={unit} />;
}

interface ViewProps {
  run: ShownRun;
  row: CriterionRow;
  input: CriteriaInput;
}

/**
 * One criterion: reasons of its result, citations that hold, citations that do not, and the turns of the
 * model.
 */
function CriterionView({ run, row, input }: ViewProps) {
  const { result } = row;
  if (result === null) return <p className="quiet">{t('policyCheck.noResultYet')}</p>;
  return (
    <>
      <Claimed result={result} />
      {isUnproven(result) && <p className="quiet">{t('policyCheck.statedWithoutProofNoneOf')}</p>}
      <SafeMarkdown text={visible(result.rationale)} links={evidenceLinks(run, row.id)} />
      {result.unproven !== undefined && (
        <p className="quiet">
          {rich('policyCheck.statedWithoutProof', { unproven: visible(result.unproven) })}
        </p>
      )}
      <VerifiedCitations result={result} facts={input.facts} />
      <RefutedCitations result={result} />
      <CriterionFigures result={result} />
      <Trace run={run} row={row} trace={result.trace} />
    </>
  );
}

const isUnproven = ({ citations, refuted }: CriterionResult) => citations.length === 0 && refuted.length > 0;

// The answer of the model, if checking its citations changed the result.
function Claimed({ result: { claimed, status, confidence, unproven } }: { result: CriterionResult }) {
  if (claimed === null) return null;
  const claimText = t('policyCheck.with', {
    words: STATUS_WORDS[claimed.status].words,
    confidence: percentText(claimed.confidence),
  });
  return (
    <p className="claimed">
      {rich('policyCheck.theAnswerWasAfterIt', {
        strong: <strong>{claimText}</strong>,
        unproven:
          unproven === undefined ? t('policyCheck.theCheckOfItsCitations') : t('policyCheck.itsReview'),
        strong2: (
          <strong>
            {rich('policyCheck.with', {
              words: STATUS_WORDS[status].words,
              confidence: percentText(confidence),
            })}
          </strong>
        ),
      })}
    </p>
  );
}

function CriterionFigures({ result }: { result: CriterionResult }) {
  const { strategy, promptId, model, iterations, tokens, costUsd } = result;
  const figures: [string, string | null][] = [
    ['strategy', inWords(strategy)],
    ['prompt', promptId],
    ['model', model],
    ['turns', String(iterations)],
    ['tokens', t('policyCheck.inOut', { input: countText(tokens.input), output: countText(tokens.output) })],
    ['cost', moneyText(costUsd)],
  ];
  return <Figures figures={figures} />;
}
