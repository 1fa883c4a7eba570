import { other } from '../other/index.js';

export const one = other;
