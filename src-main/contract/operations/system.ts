import { z } from 'zod';
import type { StreamedEvent } from '../events.ts';
import { defineOperation } from '../operation.ts';

/** The service itself. */
export const systemOperations = {
  healthcheck: defineOperation({
    method: 'GET',
    path: '/healthcheck',
    section: 'compat',
    summary: 'Health of the service',
    permission: 'public',
    input: z.object({}),
    output: z.object({ status: z.literal('Green'), 'service-health-message': z.string(), version: z.string() }),
  }),
  readiness: defineOperation({
    method: 'GET',
    path: '/readiness',
    section: 'own',
    summary: 'Whether the service can serve requests now: 503 while it shuts down or cannot read its catalog',
    permission: 'public',
    input: z.object({}),
    output: z.object({ status: z.literal('ready') }),
    errors: ['unavailable'],
  }),
  stream_events: defineOperation({
    method: 'GET',
    path: '/events',
    section: 'own',
    summary: 'Server-sent events about changes, so that screens can refresh',
    permission: 'datasets:list',
    input: z.object({}),
    output: z.custom<AsyncIterable<StreamedEvent>>(),
    reply: 'stream',
  }),
};
