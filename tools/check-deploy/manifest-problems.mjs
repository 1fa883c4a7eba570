import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Returns the problems of an object by the schemas of Kubernetes (API 1.33) and of the operators, one line each. The schemas
 * accept unknown fields, as the API server does by default. Here they are problems, because a probe with a
 * misspelt name is no probe.
 */
export function manifestProblems(object) {
  const model = modelOf(object);
  if (model === undefined) return [`no schema for ${object.apiVersion} ${object.kind}`];
  const unread = new Set();
  try {
    model.prototype.validate.call(watched(object, '', unread));
  } catch (error) {
    return error.message.split('\n');
  }
  return [...unread].map((path) => `${path} is not a field`);
}

/** Packages with the schemas of groups that are not part of Kubernetes. */
const EXTENSIONS = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'keda.sh': '@kubernetes-models/keda',
};

function modelOf({ apiVersion, kind }) {
  const schemas = EXTENSIONS[apiVersion.split('/')[0]] ?? 'kubernetes-models';
  try {
    return require(`${schemas}/${apiVersion}/${kind}`)[kind];
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}

// A compiled schema reads each known field by name, and iterates over maps. A field that it never reads is
// unknown.
function watched(value, path, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const children = new Map();
  for (const key of Object.keys(value)) {
    const at = `${path}/${key}`;
    if (!Array.isArray(value)) unread.add(at);
    children.set(key, watched(value[key], at, unread));
  }
  return new Proxy(value, {
    get: (target, key) => {
      unread.delete(`${path}/${String(key)}`);
      return children.has(key) ? children.get(key) : Reflect.get(target, key);
    },
  });
}
