import { expect, it } from 'vitest';
import { countFolderLabels, folderLabels } from '../../src-main/contract/folder-labels.ts';

it.each([
  ['a folder per class', ['cat/a.jpg', 'dog/b.jpg'], ['cat', 'dog'], [null, null]],
  ['inside a folder of all', ['pets/cat/a.jpg', 'pets/dog/b.jpg'], ['cat', 'dog'], [null, null]],
  ['splits', ['train/cat/a.jpg', 'valid/dog/b.jpg', 'Test/cat/c.jpg'], ['cat', 'dog', 'cat'], ['train', 'val', 'test']],
  ['splits inside a folder of all', ['set/train/cat/a.jpg', 'set/val/cat/b.jpg'], ['cat', 'cat'], ['train', 'val']],
  ['one split only', ['train/cat/a.jpg', 'train/dog/b.jpg'], ['cat', 'dog'], ['train', 'train']],
  ['one class of one split', ['set/train/cat/a.jpg', 'set/train/cat/b.jpg'], ['cat', 'cat'], ['train', 'train']],
  ['folders inside a class', ['cat/2020/a.jpg', 'cat/b.jpg', 'dog/c.jpg'], ['cat', 'cat', 'dog'], [null, null, null]],
  ['images of a detection set', ['train/images/a.jpg', 'val/images/b.jpg'], [null, null], ['train', 'val']],
  ['no folders', ['a.jpg', 'b.jpg'], [null, null], [null, null]],
  ['one folder of all', ['photos/a.jpg', 'photos/b.jpg'], [null, null], [null, null]],
  ['some images beside the classes', ['a.jpg', 'cat/b.jpg'], [null, 'cat'], [null, null]],
])('reads classes and splits of %s', (_what, paths, labels, splits) => {
  const read = folderLabels(paths);
  expect(paths.map((path) => read(path).label)).toEqual(labels);
  expect(paths.map((path) => read(path).split)).toEqual(splits);
});

it.each([
  ['a known class', ['cat/2024/a.jpg', 'cat/2025/b.jpg'], ['cat', 'cat']],
  ['a known class inside another folder', ['new/cat/a.jpg', 'new/cat/b.jpg'], ['cat', 'cat']],
  ['a new class alone', ['bird/a.jpg', 'bird/b.jpg'], ['bird', 'bird']],
  ['new classes inside a folder of all', ['new/bird/a.jpg', 'new/fish/b.jpg'], ['bird', 'fish']],
  ['no folders', ['a.jpg', 'b.jpg'], [null, null]],
])('reads classes of media that are added to others: %s', (_what, paths, labels) => {
  const read = folderLabels(paths, new Set(['cat', 'dog']));
  expect(paths.map((path) => read(path).label)).toEqual(labels);
});

it('counts classes and splits', () => {
  expect(countFolderLabels(['train/cat/a.jpg', 'train/dog/b.jpg', 'val/dog/c.jpg'])).toEqual({
    classes: [
      { name: 'dog', count: 2 },
      { name: 'cat', count: 1 },
    ],
    splits: [
      { name: 'train', count: 2 },
      { name: 'val', count: 1 },
    ],
  });
});
