import type { ServiceDefinition } from '@casefile/runtime';
import { AlertsQueueController } from './alerts-queue.controller.js';
import { AlertsController } from './alerts.controller.js';

export const ingest: ServiceDefinition = {
  name: 'ingest',
  controllers: [AlertsController, AlertsQueueController],
  topics: ['alerts'],
};
