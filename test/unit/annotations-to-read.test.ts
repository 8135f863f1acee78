import { describe, expect, it } from 'vitest';
import { annotationsToRead } from '../../src-main/infra/dataset-store/annotations/annotations-to-read.ts';

const annotationPaths = ['a/labels/one.txt', 'a/labels/two.txt', 'a/classes.txt', 'image_annotations.csv'];

function read(changedPaths: string[], newMediaPaths: string[], unmatched: string[] = []): string[] {
  return annotationsToRead(
    { annotation_paths: annotationPaths, changed_paths: changedPaths, new_media_paths: newMediaPaths },
    () => unmatched,
  ).sort();
}

describe('annotation files to be read again', () => {
  it('are all when a table or the names of classes changed', () => {
    expect(read(['image_annotations.csv'], [])).toEqual([...annotationPaths].sort());
    expect(read(['a/classes.txt', 'a/labels/one.txt'], [])).toEqual([...annotationPaths].sort());
  });

  it('are label files that changed or whose image was added', () => {
    expect(read(['a/labels/one.txt'], [])).toEqual(['a/classes.txt', 'a/labels/one.txt', 'image_annotations.csv']);
    expect(read([], ['a/images/Two.JPG'])).toEqual(['a/classes.txt', 'a/labels/two.txt', 'image_annotations.csv']);
  });

  it('are files that name an image that was added', () => {
    const unmatched = ['C:\\photos\\three.jpg', 'b/four.jpg'];
    const others = ['a/classes.txt', 'image_annotations.csv'];
    expect(read([], ['x/three.jpg'], unmatched)).toEqual(others);
    expect(read([], ['b/four.jpg'], unmatched)).toEqual(others);
    expect(read([], ['b/five.jpg'], unmatched)).toEqual([]);
  });

  it('are none without a reason', () => {
    expect(read([], [], ['three.jpg'])).toEqual([]);
    expect(
      annotationsToRead({ annotation_paths: [], changed_paths: [], new_media_paths: ['a.jpg'] }, () => []),
    ).toEqual([]);
  });
});
