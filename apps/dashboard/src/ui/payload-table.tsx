import { rich, t } from '../strings/text.js';
import type { Json, JsonObject } from '@casefile/contracts';
import { nameInWords } from '@casefile/contracts/display';
import { visible } from '../format/visible.js';
import { ShownValue } from './shown-value.js';
import { JsonView } from './json-view.js';
import { ScrollTable } from './scroll-table.js';
import './payload-table.css';

/** Most fields of one level. Further fields are in the JSON. */
const MOST_FIELDS = 40;
/** Deepest level that is shown as fields. */
const DEEPEST = 2;

interface PayloadTableProps {
  payload: JsonObject;
  /** Labels of fields, by their path. Default of a field: its name in words. */
  labels?: Readonly<Record<string, string>>;
}

/** The fields of a payload as keys and values, and below them all of it as JSON. */
export function PayloadTable({ payload, labels = {} }: PayloadTableProps) {
  return (
    <div className="payload">
      <Fields value={payload} labels={labels} path="" depth={0} />
      <details className="more">
        <summary>{t('ui.asJson')}</summary>
        <JsonView value={payload} label={t('ui.thePayload')} />
      </details>
    </div>
  );
}

interface FieldsProps {
  value: JsonObject;
  labels: Readonly<Record<string, string>>;
  path: string;
  depth: number;
}

function Fields({ value, labels, path, depth }: FieldsProps) {
  const entries = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return (
    <dl className="payload-fields">
      {entries.slice(0, MOST_FIELDS).map(([name, one]) => {
        const at = path === '' ? name : `${path}.${name}`;
        return (
          <div key={name} className={isFields(one) || isRecords(one) ? 'payload-nested' : undefined}>
            <dt dir="auto">{visible(labels[at] ?? nameInWords(name))}</dt>
            <dd dir="auto">
              {isFields(one) && depth < DEEPEST ? (
                <Fields value={one} labels={labels} path={at} depth={depth + 1} />
              ) : (
                <FieldValue value={one} name={name} />
              )}
            </dd>
          </div>
        );
      })}
      {entries.length > MOST_FIELDS && (
        <div>
          <dt className="quiet">{rich('ui.more', { entries: entries.length - MOST_FIELDS })}</dt>
          <dd className="quiet">{t('ui.inTheJson')}</dd>
        </div>
      )}
    </dl>
  );
}

function FieldValue({ value, name }: { value: Json; name: string }) {
  if (typeof value !== 'object' || value === null) return <ShownValue value={value} />;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null))
    return (
      <ul className="payload-list">
        {value.slice(0, MOST_FIELDS).map((one, i) => (
          <li key={i}>
            <ShownValue value={one} />
          </li>
        ))}
      </ul>
    );
  if (isRecords(value)) return <Rows rows={value} columns={columnsOf(value)} name={name} />;
  return (
    <details>
      <summary>
        {Array.isArray(value) ? t('ui.entries', { value: value.length }) : t('ui.nestedFields')}
      </summary>
      <JsonView value={value} label={t('ui.theField', { name: visible(name) })} />
    </details>
  );
}

interface RowsProps {
  rows: readonly JsonObject[];
  columns: readonly string[];
  name: string;
}

/** A list of records as a table. Nested values of a record are only in the JSON. */
function Rows({ rows, columns, name }: RowsProps) {
  return (
    <div className="table-words">
      <ScrollTable label={t('ui.theField', { name: visible(nameInWords(name)) })}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" dir="auto">
                {visible(nameInWords(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_FIELDS).map((row, i) => (
            <tr key={i}>
              {columns.map((column) => (
                <td key={column} dir="auto">
                  <ShownValue value={shortValue(row[column])} />
                </td>
              ))}
            </tr>
          ))}
          {rows.length > MOST_FIELDS && (
            <tr>
              <td className="quiet" colSpan={columns.length}>
                {rich('ui.moreInTheJson', { rows: rows.length - MOST_FIELDS })}
              </td>
            </tr>
          )}
        </tbody>
      </ScrollTable>
    </div>
  );
}

/** Most columns of a list that is shown as a table. */
const MOST_COLUMNS = 6;

/** Returns the fields of a list of records that are no nested values. */
function columnsOf(list: readonly JsonObject[]): string[] {
  const shown = list.slice(0, MOST_FIELDS);
  const names = new Set(shown.flatMap((one) => Object.keys(one)));
  return [...names]
    .filter((name) => shown.every((one) => typeof (one[name] ?? '') !== 'object'))
    .slice(0, MOST_COLUMNS);
}

function shortValue(value: Json | undefined): string | number | boolean {
  return typeof value === 'object' || value === undefined ? '' : value;
}

function isFields(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list of records with a field that is no nested value. */
function isRecords(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields) && columnsOf(value).length > 0;
}

/** A time that was not set, as programs in Go write it. */
const NO_TIME = '0001-01-01T00:00:00Z';

function isEmpty(value: Json): boolean {
  return (
    value === null ||
    value === '' ||
    value === NO_TIME ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
