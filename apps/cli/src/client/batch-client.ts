import {
  batchListSchema,
  batchMembersSchema,
  batchSchema,
  createdBatchSchema,
  type Batch,
  type BatchAct,
  type BatchAsk,
  type BatchList,
  type BatchMembers,
  type CreatedBatch,
} from '@casefile/contracts';
import { requestJson } from './request-json.js';

/** What the console of a running Casefile has on batches. */
export class BatchClient {
  constructor(private readonly baseUrl: string) {}

  async create(ask: BatchAsk): Promise<CreatedBatch> {
    return createdBatchSchema.parse(await this.post('/batches', ask));
  }

  async list(): Promise<BatchList> {
    return batchListSchema.parse(await requestJson(this.url('/batches')));
  }

  /** @throws CasefileError `not_found`. */
  async get(id: string): Promise<Batch> {
    return batchSchema.parse(await requestJson(this.url(`/batches/${encodeURIComponent(id)}`)));
  }

  async members(id: string, limit: number): Promise<BatchMembers> {
    const path = `/batches/${encodeURIComponent(id)}/members?limit=${limit}`;
    return batchMembersSchema.parse(await requestJson(this.url(path)));
  }

  /** @throws CasefileError `not_found`, `conflict`. */
  async act(id: string, act: BatchAct, budgetUsd?: number): Promise<Batch> {
    const body = budgetUsd === undefined ? {} : { budgetUsd };
    return batchSchema.parse(await this.post(`/batches/${encodeURIComponent(id)}/${act}`, body));
  }

  private post(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return requestJson(this.url(path), { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private url(path: string): URL {
    return new URL(`/api/v1${path}`, this.baseUrl);
  }
}
