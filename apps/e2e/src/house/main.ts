import { trackAlert } from './track-alert.js';

console.log(JSON.stringify(await trackAlert()));
