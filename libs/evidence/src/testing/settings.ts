import type { EvidenceSettings } from '../settings.js';

/** Settings with nothing configured: no key, no address that anybody listens at. */
export function someSettings(over: Partial<EvidenceSettings> = {}): EvidenceSettings {
  return {
    exa: { baseUrl: 'http://127.0.0.1:1' },
    virusTotal: { baseUrl: 'http://127.0.0.1:1' },
    rdap: {},
    ...over,
  };
}
