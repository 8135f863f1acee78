import { z } from 'zod';
import type { StreamedEvent } from '../events.ts';
import { defineOperation } from '../operation.ts';

/** The service itself. */
export const systemOperations = {
  healthcheck: defineOperation({
    method: 'GET',
    path: '/healthcheck',
    section: 'compat',
    summary: 'Whether the service answers',
    permission: 'public',
    input: z.object({}),
    output: z.object({ status: z.literal('Green'), 'service-health-message': z.string(), version: z.string() }),
  }),
  stream_events: defineOperation({
    method: 'GET',
    path: '/events',
    section: 'own',
    summary: 'Server-sent events: what changed, so that a screen can ask again',
    permission: 'datasets:list',
    input: z.object({}),
    output: z.custom<AsyncIterable<StreamedEvent>>(),
    reply: 'stream',
  }),
};
