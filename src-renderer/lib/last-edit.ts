import { create } from 'zustand';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import type { ApiError } from './api-error.ts';

interface LastEdit {
  datasetId: string;
  /** The last edit, or the one that was undone last. */
  edit: Edit | undefined;
  undone: boolean;
  /** Why the last edit failed. */
  error: ApiError | undefined;
  note(datasetId: string, edit: Edit, undone: boolean): void;
  fail(datasetId: string, error: ApiError): void;
  forget(): void;
}

const NONE = { datasetId: '', edit: undefined, undone: false, error: undefined };

/** The result of the last edit on any screen of a dataset. The tray shows it and offers to undo it. */
export const useLastEdit = create<LastEdit>()((set) => ({
  ...NONE,
  note: (datasetId, edit, undone) => set({ datasetId, edit, undone, error: undefined }),
  fail: (datasetId, error) => set({ datasetId, edit: undefined, undone: false, error }),
  forget: () => set(NONE),
}));
