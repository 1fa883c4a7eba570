import type { SenderShape } from './sender-shape.js';
import shapes from './senders.json' with { type: 'json' };

/** Shapes of known senders, the more specific ones first. */
export const SENDERS = shapes as readonly SenderShape[];
