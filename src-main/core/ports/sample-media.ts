import type { UploadedFile } from '../../contract/fields.ts';

/** Draws the media of the sample dataset. */
export interface SampleMedia {
  /**
   * Draws the images and their annotation files, and deletes those that remain after `use`.
   * @param use Receives files that it may move.
   */
  draw<T>(use: (files: UploadedFile[]) => Promise<T>): Promise<T>;
}
