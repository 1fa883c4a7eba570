// `node tools/images-run.mjs [--only message-screening]`: 20 scams and 20 harmless messages as texts and as screenshots (light, dark, 1x, 3x), and 40
// images that OCR reads poorly, through the product without a model. Exit code 1 when a verdict differs from that of the
// text more often than allowed, or an image of a scam is dismissed.
import { build } from './build.mjs';
import { install } from './install.mjs';

await install();
await build();
await import('../apps/e2e/dist/image-set/main.js');
