import { expect, it } from 'vitest';
import { MethodRegistry } from '../../../src-main/infra/dataset-store/thread/method-registry.ts';
import { storeCalls } from '../../../src-main/infra/dataset-store/thread/store-calls.ts';
import { STORE_METHODS } from '../../../src-main/infra/dataset-store/thread/store-methods.ts';

const SUBJECTS = [...new Set(STORE_METHODS.map(({ subject }) => subject))];

/** Returns a class with all methods of a subject except the missing ones. Each method returns its name. */
function classOf(subject: string, ...missing: string[]) {
  const Served = class {};
  for (const { name } of STORE_METHODS.filter((one) => one.subject === subject && !missing.includes(one.name))) {
    Object.defineProperty(Served.prototype, name, { value: (...args: unknown[]) => [subject, name, ...args] });
  }
  return Served;
}

const readable = SUBJECTS.filter((subject) =>
  STORE_METHODS.some((one) => one.subject === subject && one.side === 'read'),
);
const all = () => readable.map((subject) => [subject, classOf(subject)] as const);
const but = (subject: string) => all().filter(([name]) => name !== subject);

it('binds every method of its side by subject and name', async () => {
  const served = all();
  const registry = new MethodRegistry<object>('read', served as never);
  const methods = registry.bind(Object.fromEntries(served.map(([subject, Served]) => [subject, new Served()])));
  const reads = STORE_METHODS.filter(({ side }) => side === 'read').map(({ key }) => key);
  expect(Object.keys(methods).sort()).toEqual(reads.sort());
  expect(methods['items.find']?.('an id')).toEqual(['items', 'find', 'an id']);
});

it('fails when a method or a whole subject is missing', () => {
  const incomplete = [...but('explore'), ['explore', classOf('explore', 'listClusters')]];
  expect(() => new MethodRegistry<object>('read', incomplete as never)).toThrow(
    'The method explore.listClusters is not served',
  );
  expect(() => new MethodRegistry<object>('read', but('edits') as never)).toThrow(
    'The method edits.list is not served',
  );
});

it('fails when a method is served twice, or a subject is unknown or empty', () => {
  const twice = [...all(), ['items', classOf('items')]];
  expect(() => new MethodRegistry<object>('read', twice as never)).toThrow('The method items.find is served twice');
  expect(() => new MethodRegistry<object>('read', [...all(), ['colours', class {}]] as never)).toThrow(
    'The store has no subject "colours" to read',
  );
  expect(() => new MethodRegistry<object>('read', [...all(), ['repairs', classOf('repairs')]] as never)).toThrow(
    'The store has no subject "repairs" to read',
  );
});

it('sends each call to its side by subject and name', async () => {
  const store = storeCalls(async (...sent) => sent as never);
  expect(await store.items.find('an id')).toEqual(['read', 'items.find', ['an id']]);
  expect(await store.edits.addTag('a tag')).toEqual(['write', 'edits.addTag', ['a tag']]);
  expect(Object.keys(store).sort()).toEqual([...SUBJECTS].sort());
});
