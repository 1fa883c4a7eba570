import { readdirSync, readFileSync } from 'node:fs';
import { CasefileError, InvalidInput } from '@casefile/contracts';
import { readDataSource, type DataSource } from '@casefile/evidence';
import { parseSettingsYaml } from '../config/parse-settings-yaml.js';

const FOLDER = new URL('../../../../config/data-sources/', import.meta.url);

/** Returns the data sources that Casefile ships, by name. */
export function shippedSources(): DataSource[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readSourceFile(readFileSync(new URL(file, FOLDER), 'utf8')));
}

/**
 * Reads the text of a source file. @throws InvalidInput that names each wrong field and what was expected, or states
 * that the text is no YAML.
 */
export function readSourceFile(text: string): DataSource {
  return readDataSource(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return parseSettingsYaml(text);
  } catch (error) {
    if (error instanceof CasefileError) throw error;
    const message = `expected YAML: ${error instanceof Error ? error.message : String(error)}`;
    throw new InvalidInput([{ path: '', message }], 'data source');
  }
}
