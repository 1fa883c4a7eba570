import { defineStage } from '../stage.js';

/** Reads the alert by the triage part of its playbook. */
export const triage = defineStage({
  name: 'triage',
  app: 'ingest',
  readsAlert: true,
  reads: [],
  appends: 'brief',
  run: ({ alert }, ports) => ports.playbook.triage(alert, ports),
});
