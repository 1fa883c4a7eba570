import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import {
  CasefileError,
  InvalidInput,
  jsonObjectSchema,
  parseInput,
  z,
  type JsonObject,
} from '@casefile/contracts';
import { readJsonFile } from './read-input-file.js';

const MEDIA_TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

const fileSchema = z.union([z.array(jsonObjectSchema).min(1), jsonObjectSchema], {
  error: 'expected an alert or an array of at least one',
});

/**
 * Returns the alerts of a JSON file that holds one alert or an array. `imageFile`, a path relative to the
 * file, is replaced by the `image` that it names.
 * @throws InvalidInput, CasefileError `unreadable_file`.
 */
export async function readAlerts(path: string): Promise<JsonObject[]> {
  return alertsIn(await readJsonFile(path), path);
}

/** Returns the alerts of the content of such a file. @throws the errors of readAlerts. */
export async function alertsIn(json: unknown, path: string): Promise<JsonObject[]> {
  const content = parseInput(fileSchema, json, 'file of alerts');
  const alerts = Array.isArray(content) ? content : [content];
  const folder = path === '-' ? '.' : dirname(path);
  return Promise.all(alerts.map((alert) => withImage(alert, folder)));
}

async function withImage({ imageFile, ...alert }: JsonObject, folder: string): Promise<JsonObject> {
  if (imageFile === undefined) return alert;
  const mediaType = typeof imageFile === 'string' ? MEDIA_TYPES[extname(imageFile).toLowerCase()] : undefined;
  if (mediaType === undefined || typeof imageFile !== 'string') {
    throw new InvalidInput([
      { path: 'imageFile', message: `expected a path that ends in ${Object.keys(MEDIA_TYPES).join(', ')}` },
    ]);
  }
  try {
    const bytes = await readFile(join(folder, imageFile));
    return { ...alert, image: { mediaType, base64: bytes.toString('base64') } };
  } catch (error) {
    throw new CasefileError('unreadable_file', `${join(folder, imageFile)} cannot be read`, { cause: error });
  }
}
