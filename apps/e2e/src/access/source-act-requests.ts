import { ACT, TYPED, fresh, type ActEntry, type ActFacts } from './act-request.js';

/** No service listens there, so a probe fails at once. */
const ADDRESS = 'http://127.0.0.1:9';

async function source({ prepare }: ActFacts): Promise<string> {
  const name = `own-${fresh()}`;
  await prepare('/sources', { source: 'prometheus', name, url: ADDRESS });
  return name;
}

const onSource: ActEntry['request'] = async (facts) => ({
  params: { name: await source(facts) },
  body: { by: TYPED },
});

/** Requests of data sources. */
export const SOURCE_ACTS: Record<string, ActEntry> = {
  addSource: {
    request: async () => ({ body: { source: 'prometheus', name: `own-${fresh()}`, url: ADDRESS, ...ACT } }),
  },
  removeSource: { request: onSource },
  testSource: { request: onSource },
};
