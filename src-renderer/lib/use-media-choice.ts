import { useState } from 'react';
import type { DroppedFile } from './dropped-files.ts';
import { selectionOf, type UploadSelection } from './upload-selection.ts';

export interface MediaChoice {
  mode: 'location' | 'files';
  location: string;
  files: readonly DroppedFile[];
  /** What the files are sent as. */
  selection: UploadSelection;
  /** What is missing or wrong, as a key of the texts' `source`; undefined where it can be sent. */
  problem: 'locationNeeded' | 'filesNeeded' | 'mixed' | undefined;
  change(change: Partial<Pick<MediaChoice, 'mode' | 'location' | 'files'>>): void;
}

/** Where media come from: a location or chosen files; the other is kept while a person looks at both. */
export function useMediaChoice(start: Pick<MediaChoice, 'mode' | 'location' | 'files'>): MediaChoice {
  const [choice, setChoice] = useState(start);
  const selection = selectionOf(choice.files);
  return {
    ...choice,
    selection,
    problem: problemOf(choice, selection),
    change: (change) => setChoice((old) => ({ ...old, ...change })),
  };
}

function problemOf(
  { mode, location }: Pick<MediaChoice, 'mode' | 'location'>,
  selection: UploadSelection,
): MediaChoice['problem'] {
  if (mode === 'location') return location.trim() === '' ? 'locationNeeded' : undefined;
  if (selection.kind === 'none') return 'filesNeeded';
  return selection.kind === 'mixed' ? 'mixed' : undefined;
}
