// Prints as JSON how many files and functions one scam-verdict alert executes (part of `npm run house`).
import { trackAlert } from '../house/track-alert.js';

console.log(JSON.stringify(await trackAlert()));
