import { playbookNamed } from '@casefile/pipeline';
import { readConfig } from '../config/read-config.js';
import { freezeSettings } from './freeze-settings.js';

const frozen = (env: Record<string, string>) =>
  freezeSettings(playbookNamed('policy-check'), readConfig({ LLM_PROVIDER: 'none', ...env }));

describe('the settings a run is frozen with', () => {
  it('S4-33 hold a check to its limits in production, and let it pass them with a warning elsewhere', () => {
    expect(frozen({}).options['limitMode']).toBe('soft');
    expect(frozen({ NODE_ENV: 'development' }).options['limitMode']).toBe('soft');
    expect(frozen({ NODE_ENV: 'production' }).options).toMatchObject({
      limitMode: 'hard',
      tokenLimit: 6_000,
    });
  });

  it('S4-20 name the prompt of a controller', () => {
    expect(frozen({})).toMatchObject({
      strategy: 'react',
      promptIds: { controller: 'policy-check/react@2' },
    });
  });
});
