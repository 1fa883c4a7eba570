import type { CaseStore } from '@casefile/contracts';
import { countingIds } from '@casefile/contracts/testing';
import { acceptConformance } from './conformance/accept.conformance.js';
import { batchCompareConformance } from './conformance/batch-compare.conformance.js';
import { batchConformance } from './conformance/batch.conformance.js';
import { budgetConformance } from './conformance/budget.conformance.js';
import { claimConformance } from './conformance/claim.conformance.js';
import { commitConformance } from './conformance/commit.conformance.js';
import { feedbackConformance } from './conformance/feedback.conformance.js';
import { installationConformance } from './conformance/installation.conformance.js';
import { importConformance } from './conformance/import.conformance.js';
import { occurrenceConformance } from './conformance/occurrence.conformance.js';
import { handedOnConformance } from './conformance/handed-on.conformance.js';
import { pauseConformance } from './conformance/pause.conformance.js';
import { raiseConformance } from './conformance/raise.conformance.js';
import { reusableAnswersConformance } from './conformance/reusable-answers.conformance.js';
import { rerunConformance } from './conformance/rerun.conformance.js';
import { sessionConformance } from './conformance/session.conformance.js';
import { providerConformance } from './conformance/provider.conformance.js';
import { deadLetterConformance } from './conformance/dead-letter.conformance.js';
import { listConformance } from './conformance/list.conformance.js';
import { readConformance } from './conformance/read.conformance.js';
import { signalConformance } from './conformance/signal.conformance.js';
import { StoreBench, type MakeStore, type StoreUnderTest } from './conformance/store-bench.js';
import { sweepConformance } from './conformance/sweep.conformance.js';
import { lastTryConformance } from './conformance/last-try.conformance.js';
import { judgedAgainConformance } from './conformance/judged-again.conformance.js';
import { lateCallConformance } from './conformance/late-call.conformance.js';
import { toolCallConformance } from './conformance/tool-call.conformance.js';
import { toolModelConformance } from './conformance/tool-model.conformance.js';
import { unitConformance } from './conformance/unit.conformance.js';

/** What a test finds: a fresh store and the bench to work it. */
export type UnderTest = () => StoreUnderTest & { bench: StoreBench; store: CaseStore };

/** The one suite for the record: every store passes it. */
export function describeStore(name: string, makeStore: MakeStore): void {
  describe(`${name} is a CaseStore and a CaseReader`, () => {
    let made: StoreUnderTest;
    let bench: StoreBench;
    beforeEach(async () => {
      made = await makeStore();
      bench = new StoreBench(made.store, countingIds(), made.settled);
    });
    afterEach(() => made.close());
    const at: UnderTest = () => ({ ...made, bench });
    acceptConformance(at);
    judgedAgainConformance(at);
    occurrenceConformance(at);
    claimConformance(at);
    lastTryConformance(at);
    handedOnConformance(at);
    pauseConformance(at);
    commitConformance(at);
    unitConformance(at);
    lateCallConformance(at);
    toolCallConformance(at);
    toolModelConformance(at);
    signalConformance(at);
    sweepConformance(at);
    readConformance(at);
    listConformance(at);
    deadLetterConformance(at);
    providerConformance(at);
    budgetConformance(at);
    raiseConformance(at);
    sessionConformance(at);
    reusableAnswersConformance(at);
    rerunConformance(at);
    batchConformance(at);
    batchCompareConformance(at);
    feedbackConformance(at);
    importConformance(at);
    installationConformance(at);
  });
}
