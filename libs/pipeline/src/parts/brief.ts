import {
  ownValue,
  type Alert,
  type Brief,
  type Entities,
  type EvidenceItem,
  type GivenEvidence,
} from '@casefile/contracts';

/** Content that a triage part has read from an alert. */
export interface BriefReading extends Pick<
  Brief,
  'text' | 'textSource' | 'ocrConfidence' | 'image' | 'mail' | 'input' | 'notes'
> {
  /** Entities in the text. */
  entities: Entities;
  /** Evidence in the payload. It is numbered after the evidence of the alert itself. */
  suppliedEvidence: readonly GivenEvidence[];
}

/** Returns the brief of an alert: the content read by triage and the fields of the alert itself. */
export function alertBrief(
  alert: Alert,
  { entities, suppliedEvidence, notes, ...read }: BriefReading,
): Brief {
  const { conversation, chosenBy, source = '', receivedAt } = alert;
  return {
    ...read,
    ...(conversation === undefined ? {} : { conversation: { id: conversation, source } }),
    ...(chosenBy === undefined ? {} : { chosenBy }),
    entities: joined(alert.entities ?? {}, entities),
    given: [...(alert.evidence ?? []), ...suppliedEvidence].map((item, i) => givenItem(item, i, receivedAt)),
    collect: alert.collect ?? true,
    receivedAt,
    notes,
  };
}

// Values that the sender supplied come first, then those found in the text.
function joined(supplied: Entities, read: Entities): Entities {
  const types = [...new Set([...Object.keys(supplied), ...Object.keys(read)])];
  const valuesOf = (type: string) => [...(ownValue(supplied, type) ?? []), ...(ownValue(read, type) ?? [])];
  return Object.fromEntries(types.map((type) => [type, [...new Set(valuesOf(type))]]));
}

// Marks evidence of the sender, so that it does not look like the result of a look-up by Casefile.
function givenItem(item: GivenEvidence, index: number, receivedAt: string): EvidenceItem {
  const source = item.source === '' ? 'upstream' : `upstream: ${item.source}`.slice(0, 500);
  return { ...item, id: `E${index + 1}`, source, at: item.at ?? receivedAt, given: true };
}
