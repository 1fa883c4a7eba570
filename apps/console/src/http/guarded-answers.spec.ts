import { eventRecordSchema, projectionOf } from '@casefile/contracts';
import { routes } from '../routes/index.js';

const answers = routes.flatMap(({ method, path, response }) =>
  typeof response === 'string' ? [] : [{ name: `${method} ${path}`, response }],
);

describe('classes of answers', () => {
  it.each(answers)('S2-21 $name has no free JSON without a class', ({ response }) => {
    expect(projectionOf(response).undeclared).toEqual([]);
  });

  it('S2-21 events have no free JSON without a class', () => {
    expect(projectionOf(eventRecordSchema).undeclared).toEqual([]);
  });

  it('S2-21 every answer to a GET of which a part can be withheld has the hint `withheld`', () => {
    const without = answers.filter(({ name, response }) => {
      const { projection, classes } = projectionOf(response);
      return (
        name.startsWith('get') &&
        projection.kind === 'parts' &&
        classes.size > 0 &&
        !projection.fields.has('withheld')
      );
    });
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('S2-21 the reasons for which every role reads free JSON are known', () => {
    const reasons = answers.flatMap(({ response }) =>
      projectionOf(response).openJson.map(({ because }) => because),
    );
    expect([...new Set(reasons)].sort()).toEqual([
      'Limits of the configuration.',
      'Secrets are masked before.',
      'Settings of the configuration.',
      'Text of the tool server.',
    ]);
  });
});
