/**
 * Databases of the shared test Redis, one per spec, so that concurrent specs do not take each other's jobs.
 */
const DATABASES = {
  flow: 1,
  faults: 2,
  processes: 3,
  intake: 4,
  tools: 5,
  trace: 6,
  screening: 7,
  'policy-check': 8,
  layouts: 9,
  'upstream-feedback': 10,
  erasure: 11,
  'kind-walk': 12,
  roles: 13,
  'roles-cases': 14,
} as const;

/** URL of a spec's own Redis database. */
export function testRedis(spec: keyof typeof DATABASES): string {
  const url = process.env['CASEFILE_TEST_REDIS'];
  if (url === undefined) throw new Error('CASEFILE_TEST_REDIS is not set: run the tests by `npm run jest`');
  return `${url.replace(/\/\d*$/, '')}/${DATABASES[spec]}`;
}
