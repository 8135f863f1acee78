import { expect, it } from 'vitest';
import type { StreamedEvent } from '../../src-main/contract/events.ts';
import { EventBus } from '../../src-main/core/events.ts';

const newBus = () => new EventBus((error) => expect.fail(String(error)));

it('delivers events in order, and disconnects slow listeners', async () => {
  const bus = newBus();
  const { signal } = new AbortController();
  const stream = bus.follow(() => true, signal);
  const first = stream.next();
  bus.emit('dataset_deleted', { dataset_id: 'first' });
  expect((await first).value).toMatchObject({ data: { dataset_id: 'first' } });
  for (let at = 0; at < 1000; at += 1) bus.emit('dataset_changed', { dataset_id: String(at) });
  const kept: StreamedEvent[] = [];
  for (let at = 0; at < 10; at += 1) kept.push((await stream.next()).value as StreamedEvent);
  expect(kept.map(({ data }) => data)).toEqual(kept.map((_event, at) => ({ dataset_id: String(at) })));
  for (let at = 0; at < 11; at += 1) bus.emit('dataset_changed', { dataset_id: 'too many' });
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});
