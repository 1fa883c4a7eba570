import {
  CasefileError,
  decideProposalSchema,
  patternProposalListSchema,
  patternProposalSchema,
  PROPOSAL_STATES,
  z,
  cursorField,
  limitField,
} from '@casefile/contracts';
import { route } from '../http/route.js';

/** Patterns that confirmed cases propose, and their approval. */
export const proposalRoutes = [
  route({
    method: 'get',
    path: '/pattern-proposals',
    operationId: 'listPatternProposals',
    right: 'reviewer',
    tag: 'imports',
    summary: 'Patterns that confirmed cases propose',
    input: {
      query: z.strictObject({
        state: z.enum(PROPOSAL_STATES).default('proposed').describe('State of the proposal.'),
        cursor: cursorField(100),
        limit: limitField(200, 50),
      }),
    },
    answer: '{ proposals, nextCursor }, the oldest case first',
    response: patternProposalListSchema,
    handler: ({ lessons }, { query: { state, cursor, limit } }) =>
      lessons.proposals({ state, limit, ...(cursor === undefined ? {} : { cursor }) }),
  }),
  route({
    method: 'post',
    path: '/pattern-proposals/{id}/state',
    operationId: 'decidePatternProposal',
    right: 'operator',
    tag: 'imports',
    summary: 'Approve or reject a proposed pattern',
    input: {
      params: z.object({ id: z.string().max(100).describe('Id of the case.') }),
      body: decideProposalSchema,
    },
    problems: [404],
    answer: 'The proposal. An approved pattern is known to the next case. A decided proposal stays as it is',
    response: patternProposalSchema,
    handler: async ({ lessons }, { params: { id }, body: { state, by } }) => {
      const proposal = await lessons.decide(id, state, by);
      if (proposal === null) throw new CasefileError('not_found', 'the case proposes no pattern');
      return proposal;
    },
  }),
];
