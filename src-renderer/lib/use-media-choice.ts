import { useMemo, useState } from 'react';
import type { DroppedFile } from './dropped-files.ts';
import { selectionOf, type UploadSelection } from './upload-selection.ts';

export interface MediaChoice {
  mode: 'location' | 'files';
  location: string;
  files: readonly DroppedFile[];
  /** Method of sending the files. */
  selection: UploadSelection;
  /** The problem of the choice, as a key of the `source` texts. undefined if the choice is valid. */
  problem: 'locationNeeded' | 'filesNeeded' | 'mixed' | undefined;
  change(change: Partial<Pick<MediaChoice, 'mode' | 'location' | 'files'>>): void;
}

/** A location or chosen files. The other one is retained when the user switches. */
export function useMediaChoice(start: Pick<MediaChoice, 'mode' | 'location' | 'files'>): MediaChoice {
  const [choice, setChoice] = useState(start);
  const selection = useMemo(() => selectionOf(choice.files), [choice.files]);
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
