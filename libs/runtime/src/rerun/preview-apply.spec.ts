import { MOST_PREVIEWED, type PreviewedMember, type Verdict } from '@casefile/contracts';
import { asRecorded } from '@casefile/pipeline';
import { previewApply, type PreviewPorts } from './batch-driver.js';

/** A kind whose verdicts leave as they are, and one whose verdicts leave without their disposition. */
const playbooks = [
  { name: 'incident', outward: asRecorded },
  {
    name: 'cautious',
    outward: (made: Verdict) => ({ effects: [], verdict: () => ({ ...made, disposition: 'review' }) }),
  },
];

const verdict = (disposition: string) => ({
  outcome: {},
  disposition,
  confidence: 0.9,
  confidenceSource: 'rules',
  method: 'heuristic',
  degraded: false,
  degradedNote: '',
  citedEvidence: [],
});

const member = (position: number, over: Partial<PreviewedMember> = {}): PreviewedMember => ({
  position,
  caseId: `c${position}`,
  runId: `r${position}`,
  playbook: 'incident',
  verdict: verdict('act'),
  result: 'applied',
  sends: true,
  ...over,
});

/** Ports of a batch with these members, and destinations by what they receive. */
function portsWith(members: PreviewedMember[], whens: Record<string, object>) {
  const asked: string[] = [];
  const store = {
    batches: {
      preview: async (_id: string, _choice: object, after: number, limit: number) =>
        members.filter(({ position }) => position > after).slice(0, limit),
    },
    destinations: {
      added: async () => [
        { name: 'archive', entry: { type: 'webhook', when: {} } },
        { name: 'pager', entry: { type: 'webhook', when: {} } },
      ],
      labels: async (runId: string) => {
        asked.push(runId);
        return { team: 'db' };
      },
    },
  };
  const destinations = Object.entries(whens).map(([name, when]) => ({ name, type: 'webhook', when }));
  const others = { playbooks, answerWithinHours: {}, now: () => 0 };
  return { ports: { store, destinations, ...others } as unknown as PreviewPorts, asked };
}

describe('the preview of an applied batch', () => {
  it('S4-62 counts each effect, and the messages by what each destination receives', async () => {
    const members = [
      member(0),
      member(1, { verdict: verdict('dismiss') }),
      member(2, { sends: false }),
      member(3, { result: 'by_person', sends: false }),
      member(4, { result: 'unchanged', sends: false }),
      member(5, { result: 'overtaken', sends: false }),
    ];
    const { ports, asked } = portsWith(members, { pager: { disposition: ['act'] }, none: { confidence: 1 } });
    expect(await previewApply(ports, 'b', {})).toEqual({
      examined: 6,
      hasMore: false,
      applied: 3,
      messages: 2,
      decidedByPerson: 1,
      unchanged: 1,
      overtaken: 1,
      // The added destination `pager` yields to the configured one.
      receivers: [
        { destination: 'pager', messages: 1 },
        { destination: 'archive', messages: 2 },
      ],
    });
    expect(asked).toEqual([]);
  });

  it('S4-62 counts messages about reviews, and verdicts as they leave', async () => {
    const { ports } = portsWith(
      [member(0, { verdict: verdict('review') }), member(1, { playbook: 'cautious' })],
      { archive: { events: ['review'] }, pager: { disposition: ['act'] } },
    );
    const { messages, receivers } = await previewApply(ports, 'b', {});
    expect([messages, receivers]).toEqual([2, [{ destination: 'archive', messages: 2 }]]);
  });

  it('S4-62 reads labels if a destination asks for them', async () => {
    const { ports, asked } = portsWith([member(0)], {
      db: { labels: { team: 'db' } },
      web: { labels: { team: 'web' } },
    });
    const { receivers } = await previewApply(ports, 'b', {});
    expect(receivers.map(({ destination }) => destination)).toEqual(['db', 'archive', 'pager']);
    expect(asked).toEqual(['r0']);
  });

  it('S4-62 examines a bounded number of verdicts and says that there are more', async () => {
    const all = (count: number) => Array.from({ length: count }, (_, position) => member(position));
    const preview = async (count: number) => {
      const { examined, hasMore, messages } = await previewApply(portsWith(all(count), {}).ports, 'b', {});
      return { examined, hasMore, messages };
    };
    const most = { examined: MOST_PREVIEWED, messages: MOST_PREVIEWED };
    expect(await preview(MOST_PREVIEWED)).toEqual({ ...most, hasMore: false });
    expect(await preview(MOST_PREVIEWED + 1)).toEqual({ ...most, hasMore: true });
  });
});
