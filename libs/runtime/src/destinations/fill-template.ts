import type { TemplateField } from './outbound-message.js';

const FIELD = /\{\{(\w{1,40})\}\}/g;

/**
 * Returns the body with each `{{field}}` replaced. In JSON a value is written as the inside of a string, in a
 * form it is percent-encoded; in other content types it is unchanged.
 */
export function fillTemplate(
  body: string,
  contentType: string,
  fields: Readonly<Record<TemplateField, string>>,
): string {
  const written = writerFor(contentType);
  return body.replace(FIELD, (whole, name: string) =>
    Object.hasOwn(fields, name) ? written(fields[name as TemplateField]) : whole,
  );
}

function writerFor(contentType: string): (value: string) => string {
  if (/json/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  if (/x-www-form-urlencoded/i.test(contentType)) return encodeURIComponent;
  return (value) => value;
}

/** Returns the field names in a body that are not in `knownFields`. */
export function unknownFields(body: string, knownFields: readonly string[]): string[] {
  return [...body.matchAll(FIELD)].map(([, name = '']) => name).filter((name) => !knownFields.includes(name));
}
