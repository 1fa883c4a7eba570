import type { EvidenceSettings } from '../settings.js';

/** Settings with nothing configured: no key, and a URL where no server listens. */
export function someSettings(over: Partial<EvidenceSettings> = {}): EvidenceSettings {
  return {
    exa: { baseUrl: 'http://127.0.0.1:1' },
    virusTotal: { baseUrl: 'http://127.0.0.1:1' },
    rdap: {},
    ...over,
  };
}
