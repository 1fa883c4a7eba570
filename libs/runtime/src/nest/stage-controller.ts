import { Controller, Inject, type Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { Platform } from '../compose/platform.js';
import { PLATFORM } from './tokens.js';

/** A controller that hands the jobs of one stage's queue to the executor. */
export function stageController(stage: string): Type {
  @Controller()
  class StageController {
    constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

    @EventPattern<string>(stage)
    work(@Payload() job: unknown): Promise<void> {
      return this.platform.stages.handle(stage, job);
    }
  }
  return StageController;
}

/** A controller that hands the jobs of one remote tool's queue to the tool executor. */
export function toolController(topic: string): Type {
  @Controller()
  class ToolController {
    constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

    @EventPattern<string>(topic)
    work(@Payload() job: unknown): Promise<void> {
      return this.platform.toolCalls.handle(job);
    }
  }
  return ToolController;
}
