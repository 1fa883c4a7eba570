import type { IncomingHttpHeaders } from 'node:http';
import { Controller, HttpCode, Inject, NotFoundException, Post, Req } from '@nestjs/common';
import type { AcceptedPost } from '@casefile/contracts';
import { formatAt, intakeFormats, PLATFORM, takePost, type Platform } from '@casefile/runtime';

interface RawRequest {
  path: string;
  body: unknown;
  rawBody?: Uint8Array;
  headers: IncomingHttpHeaders;
}

/** An address for each form in which senders post alerts. */
@Controller()
export class WebhooksController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Post(intakeFormats.map(({ path }) => path))
  @HttpCode(202)
  async take(@Req() { path, body, rawBody, headers }: RawRequest): Promise<AcceptedPost> {
    const format = formatAt(path);
    if (format === undefined) throw new NotFoundException();
    return takePost(this.platform, format, { body, raw: rawBody ?? new Uint8Array(), headers });
  }
}
