// `npm run board`: writes the Grafana board, and the alert rules as an object for Kubernetes, into
// k8s/monitoring.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitoringFiles } from './monitoring/files.mjs';
import { root } from './root.mjs';

for (const { file, text } of await monitoringFiles()) {
  writeFileSync(join(root, file), text);
  console.log(`wrote ${file}`);
}
