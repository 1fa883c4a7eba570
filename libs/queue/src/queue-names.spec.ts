import { LANES } from '@casefile/contracts';
import { queueNames, queueOfNudge, queuesOfTopic, toolTopic } from './queue-names.js';
import { aNudge } from './testing/queue-harness.js';

describe('names of queues', () => {
  it('R16: live work has queues of its own, the other lanes share theirs', () => {
    const queues = LANES.map((lane) => queueOfNudge(aNudge({ lane })));
    expect(queues).toEqual(['reason', 'reason.bulk', 'reason.bulk', 'reason.bulk']);
  });

  it('are all known for the stages and tools there are', () => {
    expect(queueNames(['reason'], ['exa'])).toEqual([
      'alerts',
      'feedback',
      'reason',
      'reason.bulk',
      'tool.exa',
      'tool.exa.bulk',
      'verdicts',
    ]);
  });

  it('of wake-ups are those that the handler of their topic is fed from', () => {
    const fed = queuesOfTopic(toolTopic('exa')).map(({ queue }) => queue);
    for (const lane of LANES) {
      expect(fed).toContain(queueOfNudge({ kind: 'tool', tool: 'exa', toolCallId: 'c', lane, nudge: 1 }));
    }
  });

  it('have no colon: BullMQ keeps it for itself', () => {
    for (const name of queueNames(['reason'], ['exa'])) expect(name).not.toContain(':');
  });
});
