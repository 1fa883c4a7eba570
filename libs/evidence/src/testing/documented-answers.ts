import type { Json } from '@casefile/contracts';

// The shapes follow the services' documentation; the content is invented.

/** Exa, POST /search with text. */
export const EXA_SEARCH: Json = {
  requestId: 'b5947044c4b78efa9552a7c89b306d95',
  resolvedSearchType: 'neural',
  results: [
    {
      id: 'https://complaints.example/1',
      title: 'Parcel fee text messages are a scam',
      url: 'https://complaints.example/1',
      publishedDate: '2025-11-16T01:36:32.547Z',
      author: 'A reader',
      score: 0.46,
      text: 'I got a text about a\nparcel fee and paid.',
    },
    { id: 'https://forum.example/2', title: null, url: 'https://forum.example/2', text: 'Same here.' },
  ],
  costDollars: { total: 0.005 },
};

/** VirusTotal v3, GET /domains/{domain}. */
export const virusTotalDomain = (malicious: number, over: { [key: string]: Json } = {}): Json => ({
  data: {
    id: 'parcel-fee.com',
    type: 'domain',
    links: { self: 'https://www.virustotal.com/api/v3/domains/parcel-fee.com' },
    attributes: {
      last_analysis_stats: { harmless: 60, malicious, suspicious: 1, undetected: 20, timeout: 0 },
      reputation: -3,
      registrar: 'Example Registrar',
      ...over,
    },
  },
});

/** VirusTotal v3 for a domain it has never seen (with HTTP 404). */
export const VIRUSTOTAL_NOT_FOUND: Json = {
  error: { code: 'NotFoundError', message: 'Domain "parcel-fee.com" not found' },
};

/** RFC 9083, a domain object. */
export const rdapDomain = (registered: string): Json => ({
  objectClassName: 'domain',
  ldhName: 'PARCEL-FEE.COM',
  status: ['client transfer prohibited'],
  events: [
    { eventAction: 'last changed', eventDate: '2025-12-30T09:00:00Z' },
    { eventAction: 'registration', eventDate: registered },
    { eventAction: 'expiration', eventDate: '2027-01-01T09:00:00Z' },
  ],
});
