import { randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../core/ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  ticksMs: () => performance.now(),
  iso: () => new Date().toISOString(),
};

export const randomIds: Ids = { uuid: () => randomUUID() };
