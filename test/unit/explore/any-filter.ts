import fc from 'fast-check';
import type { Filter } from '../../../src-main/contract/vql/filters.ts';

const word = fc.string({ minLength: 1 }).map((text) => `w${text}w`.trim());
const words = fc.array(word, { minLength: 1, maxLength: 4 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => Math.abs(value));
const moment = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const memberOf = fc.constantFrom('is' as const, 'is_not' as const, 'one_of' as const, 'not_one_of' as const);
const uuid = fc.uuid({ version: [4, 7] });

const range = <T extends number | string>(bound: fc.Arbitrary<T>): fc.Arbitrary<{ op: 'range'; from?: T; to?: T }> =>
  fc.tuple(bound, bound, fc.constantFrom('from', 'to', 'both')).map(([a, b, which]) => {
    const [from, to]: [T, T] = a <= b ? [a, b] : [b, a];
    return { op: 'range', ...(which === 'to' ? {} : { from }), ...(which === 'from' ? {} : { to }) };
  });
const pattern = fc.record({
  op: fc.constantFrom('contains' as const, 'starts_with' as const, 'ends_with' as const, 'one_of' as const),
  value: words,
});
const named = <Name extends Filter['name']>(name: Name, body: fc.Arbitrary<Extract<Filter, { name: Name }>['body']>) =>
  body.map((of) => ({ name, body: of }) as Filter);

/** Every filter of VQL in its parsed form. */
export const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  named(
    'text',
    fc.record(
      { op: fc.constantFrom('fts' as const, 'semantic' as const), value: word, threshold: fraction },
      { requiredKeys: ['op', 'value'] },
    ),
  ),
  named('labels', fc.record({ op: memberOf, value: words })),
  named(
    'agreement',
    fc.record(
      {
        op: fc.constant('pair' as const),
        annotated: fc.option(word),
        predicted: fc.option(word),
        confidence_min: fraction,
        compared: fc.constantFrom('objects' as const, 'labels' as const),
      },
      { requiredKeys: ['op', 'annotated', 'predicted', 'confidence_min'] },
    ),
  ),
  named('confidence', range(fraction)),
  named('object_confidence', fc.record({ op: fc.constant('at_least' as const), value: fraction })),
  named(
    'tags',
    fc.record({ op: memberOf, value: fc.array(fc.oneof(uuid, fc.constant('untagged')), { minLength: 1 }) }),
  ),
  named(
    'issues',
    fc.record(
      {
        op: fc.constant('issue' as const),
        value: fc.constantFrom('blur' as const, 'dark' as const, 'normal' as const),
        mode: fc.constantFrom('in' as const, 'out' as const),
        confidence_min: fraction,
        confidence_max: fraction,
      },
      { requiredKeys: ['op', 'value', 'mode'] },
    ),
  ),
  named(
    'reviewed',
    fc.record(
      {
        op: fc.constantFrom('is' as const, 'is_not' as const),
        value: fc.constantFrom('blur', 'duplicates'),
        verdict: fc.constantFrom('accepted' as const, 'kept' as const),
      },
      { requiredKeys: ['op', 'value'] },
    ),
  ),
  named('duplicates', fc.record({ op: fc.constant('duplicates' as const), value: fraction })),
  named('uniqueness', fc.record({ op: fc.constant('uniqueness' as const), value: fraction })),
  named(
    'similarity',
    fc.record(
      { op: fc.constantFrom('upload' as const, 'media' as const), value: uuid, threshold: fraction },
      { requiredKeys: ['op', 'value'] },
    ),
  ),
  named(
    'map',
    fc.record(
      {
        op: fc.constant('inside' as const),
        map_id: word,
        value: fc.array(fc.tuple(fraction, fraction), { minLength: 3, maxLength: 8 }),
      },
      { requiredKeys: ['op', 'value'] },
    ),
  ),
  named(
    'clusters',
    fc.record({ op: fc.constant('one_of' as const), value: fc.array(uuid, { minLength: 1, maxLength: 3 }) }),
  ),
  named('folders', pattern),
  named('files', pattern),
  named('captions', fc.oneof(pattern, fc.record({ op: fc.constant('semantic' as const), value: word }))),
  named(
    'metadata',
    fc.oneof(
      fc.record({ field: word, op: fc.constantFrom('gt' as const, 'lt' as const), value: fraction }),
      fc.record({ field: word, op: fc.constantFrom('is' as const, 'contains' as const), value: words }),
      fc.tuple(word, range(fraction)).map(([field, of]) => ({ field, ...of })),
      fc.tuple(word, range(moment)).map(([field, of]) => ({ field, ...of })),
    ),
  ),
  named(
    'media_type',
    fc.record({
      op: fc.constant('one_of' as const),
      value: fc.uniqueArray(fc.constantFrom('image' as const, 'video_frame' as const), { minLength: 1 }),
    }),
  ),
  named('width', range(fc.nat())),
  named('height', range(fc.nat())),
  named('created', range(moment)),
  named('taken', range(moment)),
);
