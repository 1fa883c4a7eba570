import { z, hypothesisSchema, incidentStepSchema } from '@casefile/contracts';
import { minuteInWords, type Notice, type NoticeInput } from '@casefile/pipeline/notice';
import type { Incident } from './alert.js';
import { isKnownImpact, reportedIn, stateInWords } from './proven.js';
import { placesIn } from './places.js';
import { incidentIn } from './runbook.js';

/** Parts of the outcome that a notice shows. An older outcome may lack them. */
const outcomeSchema = z.object({
  name: z.string().catch(''),
  impact: z.object({ now: z.boolean(), what: z.string() }).nullable().catch(null),
  hypotheses: z.array(hypothesisSchema).catch([]),
  actions: z.array(incidentStepSchema).catch([]),
});

/** Returns what the person on call needs: the broken system, who is affected, the cause and the first step. */
export function notice({ verdict, brief }: NoticeInput): Partial<Notice> {
  const { name, impact, hypotheses, actions } = outcomeSchema.parse(verdict.outcome);
  const incident = brief === null ? null : incidentIn(brief);
  const reported = incident === null ? name : reportedIn(incident);
  const [cause] = hypotheses;
  const [step] = actions;
  const known = impact !== null && isKnownImpact(impact) ? impact.what : '';
  const places = incident === null ? '' : placesIn(incident);
  return {
    what: reported === name || reported === '' ? name : `${name}. ${reported}`,
    whom: [known, places].filter((text) => text !== '').join('; ') || null,
    since: incident === null ? null : sinceIn(incident),
    why:
      cause === undefined
        ? `The cause is not known. ${reasonWithout([known, reported], verdict.reasons[0] ?? '')}`.trim()
        : `${cause.cause} (${Math.round(cause.probability * 100)} of 100)`,
    quote: cause === undefined ? descriptionIn(incident, reported) : (cause.citations[0]?.quote ?? null),
    first: step !== undefined ? stepInWords(step) : incident === null ? null : pageToOpen(incident),
  };
}

/** Longest address that a notice shows, in characters. A cut one would lead nowhere. */
const MOST_ADDRESS = 140;

// Without a step, the person begins where the sender says: its runbook, else its page of the alert.
function pageToOpen({ annotations, links, resolved }: Incident): string | null {
  if (resolved) return null;
  const shown = (address: string | undefined) =>
    address !== undefined && /^https?:\/\/\S+$/.test(address) && address.length <= MOST_ADDRESS;
  const runbook = annotations['runbook_url'];
  if (shown(runbook)) return `Open the runbook: ${runbook}`;
  const page = [annotations['dashboard_url'], ...links].find(shown);
  return page === undefined ? null : `Open the page of the alert: ${page}`;
}

// Without a proven cause, the sender's own description is the best source that the person has.
function descriptionIn(incident: Incident | null, reported: string): string | null {
  const description = incident?.annotations['description']?.trim() ?? '';
  return description === '' || reported.startsWith(description) ? null : description;
}

// The reason may begin with the impact, which other lines already state, so the impact is removed.
function reasonWithout(said: readonly string[], reason: string): string {
  const repeated = said.find((text) => text !== '' && reason.startsWith(text));
  return repeated === undefined ? reason : reason.slice(repeated.length).replace(/^[.\s]+/, '');
}

function sinceIn(incident: Incident): string | null {
  const { startsAt, resolved } = incident;
  return startsAt === null ? null : `${minuteInWords(startsAt)}, ${stateInWords(incident, resolved)}`;
}

function stepInWords({
  what,
  risk,
  reversible,
  hazard,
  ofRunbook,
}: z.infer<typeof incidentStepSchema>): string {
  const danger = hazard === undefined ? '' : `${hazard}; `;
  if (ofRunbook === true) return hazard === undefined ? what : `${what} (${hazard})`;
  return `${what} (${danger}risk ${risk}, ${reversible ? 'can be undone' : 'cannot be undone'})`;
}
