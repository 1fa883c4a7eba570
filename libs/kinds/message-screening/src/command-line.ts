export { labelledMessages as evaluation } from './command-line/labelled-messages.js';
