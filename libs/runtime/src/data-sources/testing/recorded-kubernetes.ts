import type { RecordedLookUp } from './recorded-look-up.js';

const KUBERNETES = 'https://kubernetes.io/docs/reference/kubernetes-api/';
const images = (image: string) => ({ containers: [{ name: 'shop', image }] });

/** Look-ups of Kubernetes by request. */
export const RECORDED_KUBERNETES: Readonly<Record<string, RecordedLookUp>> = {
  events: {
    documentation: `${KUBERNETES}cluster-resources/event-v1/`,
    args: { namespace: 'prod' },
    line: 'GET /api/v1/namespaces/prod/events',
    answer: {
      kind: 'EventList',
      items: [
        {
          involvedObject: { kind: 'Pod', name: 'shop-1' },
          reason: 'Scheduled',
          message: 'Assigned',
          type: 'Normal',
          count: 1,
          lastTimestamp: null,
          eventTime: '2026-01-05T09:00:00.000000Z',
        },
        {
          involvedObject: { kind: 'Pod', name: 'shop-1' },
          reason: 'BackOff',
          message: 'Back-off restarting failed container',
          type: 'Warning',
          count: 12,
          lastTimestamp: '2026-01-05T10:00:00Z',
        },
      ],
    },
    finds:
      '2026-01-05T10:00:00Z Pod/shop-1 Warning BackOff: Back-off restarting failed container (seen 12 times)\n2026-01-05T09:00:00Z Pod/shop-1 Normal Scheduled: Assigned (seen 1 times)',
  },
  pods: {
    documentation: `${KUBERNETES}workload-resources/pod-v1/`,
    args: { namespace: 'prod', selector: 'app=shop' },
    line: 'GET /api/v1/namespaces/prod/pods?labelSelector=app%3Dshop',
    answer: {
      items: [
        {
          metadata: { name: 'shop-1' },
          spec: { nodeName: 'n1', ...images('shop:2') },
          status: {
            phase: 'Running',
            startTime: '2026-01-05T09:00:00Z',
            containerStatuses: [
              {
                restartCount: 12,
                state: { waiting: { reason: 'CrashLoopBackOff' } },
                lastState: { terminated: { reason: 'OOMKilled', finishedAt: '2026-01-05T09:59:00Z' } },
              },
            ],
          },
        },
      ],
    },
    finds:
      '2026-01-05T09:00:00Z pod/shop-1 started, phase Running on node n1, restarts 12, waiting CrashLoopBackOff, last end OOMKilled 2026-01-05T09:59:00Z, images shop:2',
  },
  deployments: {
    documentation: `${KUBERNETES}workload-resources/deployment-v1/`,
    args: { namespace: 'prod' },
    line: 'GET /apis/apps/v1/namespaces/prod/deployments',
    answer: {
      items: [
        {
          metadata: { name: 'shop', creationTimestamp: '2025-01-01T00:00:00Z' },
          spec: { replicas: 3, template: { spec: images('shop:2') } },
          status: {
            readyReplicas: 1,
            updatedReplicas: 3,
            conditions: [
              {
                type: 'Progressing',
                reason: 'ProgressDeadlineExceeded',
                lastUpdateTime: '2026-01-05T10:00:00Z',
              },
            ],
          },
        },
      ],
    },
    finds:
      '2026-01-05T10:00:00Z deployment/shop 1 of 3 replicas ready, 3 updated, images shop:2, conditions ProgressDeadlineExceeded',
  },
  rollouts: {
    documentation: `${KUBERNETES}workload-resources/replica-set-v1/`,
    args: { namespace: 'prod' },
    line: 'GET /apis/apps/v1/namespaces/prod/replicasets',
    answer: {
      items: [
        {
          metadata: {
            name: 'shop-6d4',
            creationTimestamp: '2026-01-05T09:55:00Z',
            annotations: { 'deployment.kubernetes.io/revision': '7' },
            ownerReferences: [{ kind: 'Deployment', name: 'shop' }],
          },
          spec: { replicas: 3, template: { spec: images('shop:2') } },
          status: { readyReplicas: 1 },
        },
      ],
    },
    finds:
      '2026-01-05T09:55:00Z shop rolled out revision 7 as shop-6d4, images shop:2, 1 of 3 replicas ready',
  },
  logs: {
    documentation: `${KUBERNETES}workload-resources/pod-v1/#read-log-of-the-specified-pod`,
    args: { namespace: 'prod', pod: 'shop-1', lines: 2, seconds: 600 },
    line: 'GET /api/v1/namespaces/prod/pods/shop-1/log?tailLines=2&sinceSeconds=600&timestamps=true',
    answer: '2026-01-05T09:59:59.1Z cannot allocate memory\n2026-01-05T10:00:00Z exit 137\n',
    finds: '2026-01-05T09:59:59.1Z cannot allocate memory\n2026-01-05T10:00:00Z exit 137',
  },
  nodes: {
    documentation: `${KUBERNETES}cluster-resources/node-v1/`,
    args: {},
    line: 'GET /api/v1/nodes',
    answer: {
      items: [
        {
          metadata: { name: 'n1' },
          status: {
            nodeInfo: { kubeletVersion: 'v1.33.1' },
            conditions: [
              { type: 'MemoryPressure', status: 'True' },
              { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-05T08:00:00Z' },
            ],
          },
        },
      ],
    },
    finds: '2026-01-05T08:00:00Z node/n1 conditions MemoryPressure, Ready = True, True, kubelet v1.33.1',
  },
};
