import { describe, expect, it } from 'vitest';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { compareBoxes } from '../../src-renderer/features/item/compare-boxes.ts';

type ImageObject = Image['objects'][number];

function object(id: string, label: string, x: number, confidence: number | null, source = 'model'): ImageObject {
  return {
    object_id: id,
    label,
    confidence,
    source: confidence === null ? 'Import' : source,
    class_id: null,
    bounding_box: { x, y: 0, width: 100, height: 100 },
    caption: null,
    caption_source: null,
    issues: [],
    media_thumb_uri: '',
  };
}

describe('predicted and annotated boxes', () => {
  it('are paired by descending confidence, each once, by label and overlap', () => {
    const compared = compareBoxes(
      [
        object('cat', 'Cat', 0, null),
        object('dog', 'dog', 500, null),
        // The most confident box is matched with the cat, although the other box overlaps it more.
        object('sure', 'cat', 30, 0.9),
        object('close', 'cat', 0, 0.8),
        object('elsewhere', 'dog', 560, 0.7),
        object('other label', 'cat', 500, 0.7),
      ],
      () => true,
    );
    expect(compared?.models).toEqual([{ source: 'model', nFound: 1, nAnnotated: 2, nExtra: 3 }]);
    expect([...(compared?.missed ?? [])]).toEqual(['dog']);
    expect(new Set(compared?.extra)).toEqual(new Set(['close', 'elsewhere', 'other label']));
  });

  it('count from a minimum confidence, for each model separately', () => {
    const objects = [
      object('a', 'cat', 0, null),
      object('b', 'cat', 300, null),
      object('first', 'cat', 0, 0.2, 'one'),
      object('second', 'cat', 300, 0.8, 'two'),
    ];
    const compared = compareBoxes(objects, ({ confidence }) => (confidence ?? 1) >= 0.5);
    expect(compared?.models).toEqual([
      { source: 'one', nFound: 0, nAnnotated: 2, nExtra: 0 },
      { source: 'two', nFound: 1, nAnnotated: 2, nExtra: 0 },
    ]);
    expect([...(compared?.missed ?? [])]).toEqual(['a']);
  });

  it('are not compared when one kind is missing', () => {
    expect(compareBoxes([object('a', 'cat', 0, null)], () => true)).toBeUndefined();
    expect(compareBoxes([object('a', 'cat', 0, 0.5)], () => true)).toBeUndefined();
  });
});
