import type { View } from './view.js';
import { rolloutViews } from './rollout-views.js';
import { systemViews } from './system-views.js';
import { workViews } from './work-views.js';

/** Views of answers by method and path. An answer without one is printed as a plain table. */
export const VIEWS = new Map<string, View<never>>(
  Object.entries({ ...workViews, ...rolloutViews, ...systemViews }) as [string, View<never>][],
);
