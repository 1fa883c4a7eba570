import { readOptions } from './options.js';

describe('readOptions', () => {
  it('reads its flags, and has a default for each', () => {
    expect(readOptions([])).toEqual({
      port: 3009,
      host: '127.0.0.1',
      script: { delayMs: 0, then: { kind: 'rules' } },
    });
    expect(readOptions(['--port', '0', '--delay-ms', '250', '--compromised'])).toMatchObject({
      port: 0,
      script: { delayMs: 250, then: { kind: 'compromised' } },
    });
    expect(readOptions(['--storm', '7']).script).toMatchObject({ faults: { seed: 7 } });
  });

  it.each([
    ['--port', 'many'],
    ['--delay-ms', '-1'],
    ['--storm', 'wild'],
    ['--speed', '3'],
  ])('refuses %s %s', (...argv) => {
    expect(() => readOptions([`${argv[0]}=${argv[1]}`])).toThrow(argv[0]?.slice(2));
  });
});
