import type { IncomingHttpHeaders } from 'node:http';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { CasefileError, type AcceptedPost } from '@casefile/contracts';
import {
  CUSTOM_WEBHOOKS,
  formatAt,
  formatsOf,
  intakeFormats,
  PLATFORM,
  secretsOf,
  takePost,
  type Platform,
} from '@casefile/runtime';

interface RawRequest {
  path: string;
  body: unknown;
  rawBody?: Uint8Array;
  headers: IncomingHttpHeaders;
}

/** An address for each form in which senders post alerts, and for each webhook of the settings. */
@Controller()
export class WebhooksController {
  private readonly formats;
  private readonly secrets;

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {
    this.formats = formatsOf(platform.config);
    this.secrets = secretsOf(platform.config);
  }

  @Post([...intakeFormats.map(({ path }) => path), `${CUSTOM_WEBHOOKS}/:name`])
  @HttpCode(202)
  async take(@Req() { path, body, rawBody, headers }: RawRequest): Promise<AcceptedPost> {
    const format = formatAt(path, this.formats);
    if (format === undefined)
      throw new CasefileError('not_found', 'The settings have no webhook of this name (section webhooks).');
    const post = { body, raw: rawBody ?? new Uint8Array(), headers };
    return takePost(this.platform, format, post, this.secrets.get(format.name));
  }
}
