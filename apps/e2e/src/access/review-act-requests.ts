import { ACT, TYPED, judgeCase, type ActEntry } from './act-request.js';

const onReview =
  (body: object): ActEntry['request'] =>
  async (facts) => ({ params: { id: (await judgeCase(facts)).caseId }, body: { by: TYPED, ...body } });
const OUTCOME = { riskLevel: 'low' };

/** Requests of the review desk and of labels. */
export const REVIEW_ACTS: Record<string, ActEntry> = {
  openReview: { loggedAs: 'reading', request: onReview({}) },
  answerReview: { request: onReview({ outcome: OUTCOME }) },
  acknowledgeReview: { request: onReview({}) },
  skipReview: { request: onReview({ reason: ACT.reason }) },
  assignReview: { request: onReview({ to: 'bob' }) },
  snoozeReview: { request: onReview({ until: '2100-01-01T00:00:00Z' }) },
  commentReview: { request: onReview({ note: 'why' }) },
  undoReview: {
    request: async (facts) => {
      const { caseId } = await judgeCase(facts);
      await facts.act(`/reviews/${caseId}/answer`, { outcome: OUTCOME, by: TYPED });
      return { params: { id: caseId }, body: { by: TYPED } };
    },
  },
  answerReviews: {
    request: async (facts) => ({
      body: { ids: [(await judgeCase(facts)).caseId], outcome: OUTCOME, by: TYPED },
    }),
  },
  giveFeedback: {
    request: async (facts) => ({
      params: { caseId: (await judgeCase(facts)).caseId },
      body: { outcome: OUTCOME, by: TYPED },
    }),
  },
  withdrawFeedback: {
    request: async (facts) => {
      const { caseId } = await judgeCase(facts);
      const { id } = await facts.prepare(`/cases/${caseId}/feedback`, { outcome: OUTCOME, by: TYPED });
      return { params: { caseId, feedbackId: String(id) } };
    },
  },
};
