// From a call through a port, the editor's "go to implementation" must reach the code that runs.
import { followPorts } from './follow-ports.mjs';

describe('the calls through ports on the way of an alert', () => {
  const members = followPorts();
  const named = (name) => members.find(({ member }) => member === name);

  it('are those of the store, the queue, models, tools, stages and kinds', () => {
    expect(members.length).toBeGreaterThan(40);
    const expected = [
      'Runs.accept',
      'Units.claim',
      'Units.commit',
      'Interactions.intend',
      'Deliveries.markDelivered',
      'Queue.nudge',
      'RunModels.routeOf',
      'StepModel.call',
      'LanguageModel.complete',
      'ToolRunner.run',
      'Stage.run',
      'Playbook.triage',
      'DecisionRule.decide',
    ];
    const isFound = (name) => (named(name)?.implementations.length ?? 0) > 0;
    expect(expected.filter((name) => !isFound(name))).toEqual([]);
  });

  it('reach a function, and in the store its statement', () => {
    const deadEnds = members.flatMap(({ member, calledIn, isOptional, implementations }) =>
      implementations.length === 0 && !isOptional
        ? [`${member} of ${calledIn} has no implementation that the editor finds`]
        : implementations.flatMap(({ at, problem }) =>
            problem === null ? [] : [`${member}: ${at} ${problem}`],
          ),
    );
    expect(deadEnds).toEqual([]);
  });
});
