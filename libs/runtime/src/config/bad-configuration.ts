import { CasefileError, type FieldProblem } from '@casefile/contracts';

/** What is thrown for a configuration that cannot be used: it names every wrong variable or key, and prints no value of one. */
export function badConfiguration(problems: FieldProblem[]): CasefileError {
  const list = problems.map((problem) => `- ${problem.path}: ${problem.message}`).join('\n');
  return new CasefileError('bad_configuration', `The configuration is not valid:\n${list}`, {
    details: { problems },
  });
}
