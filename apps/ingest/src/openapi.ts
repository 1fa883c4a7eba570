import { Controller, Get, Inject } from '@nestjs/common';
import { intakeDocument, PLATFORM, type Platform } from '@casefile/runtime';

/** `GET /openapi.json`: how programs submit alerts. */
@Controller()
export class OpenApiController {
  constructor(@Inject(PLATFORM) private readonly platform: Pick<Platform, 'config'>) {}

  @Get('openapi.json')
  document(): ReturnType<typeof intakeDocument> {
    return intakeDocument(this.platform.config);
  }
}
