import type { PipelineView } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getPipelineInput = {};

/** What the pipeline does, as of a second ago at most. */
export const getPipeline: Handler<typeof getPipelineInput, PipelineView> = ({ pipeline }) => pipeline();
