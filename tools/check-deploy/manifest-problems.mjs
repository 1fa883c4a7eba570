import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * What is wrong with an object by the schemas of Kubernetes (API 1.33), a line each; none when it is valid.
 * The schemas let unknown fields pass, as the API server does unless told otherwise. Here they are problems: a
 * probe with a typing error in its name is no probe.
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

function modelOf({ apiVersion, kind }) {
  try {
    return require(`kubernetes-models/${apiVersion}/${kind}`)[kind];
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined;
    throw error;
  }
}

// A compiled schema asks for each field it knows by its name, and walks maps whole: what it never asks for, it does
// not know.
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
