import type { ServiceDefinition } from '@casefile/runtime';
import { AlertsQueueController } from './alerts-queue.controller.js';
import { AlertsController } from './alerts.controller.js';
import { AskedController } from './asked.controller.js';
import { OpenApiController } from './openapi.js';
import { WebhooksController } from './webhooks.controller.js';

export const ingest: ServiceDefinition = {
  name: 'ingest',
  controllers: [
    AlertsController,
    AskedController,
    WebhooksController,
    AlertsQueueController,
    OpenApiController,
  ],
  topics: ['alerts'],
  needsInstallation: true,
};
