import type { TFunction } from 'i18next';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';

/** Counts of a dataset by kind, in words. Kinds without items are left out unless the dataset is empty. */
export function countsOf(
  { n_images, n_videos, n_frames, n_objects }: Pick<Dataset, 'n_images' | 'n_videos' | 'n_frames' | 'n_objects'>,
  t: TFunction,
): string[] {
  const counts = [
    n_images > 0 || n_videos === 0 ? t('common.images', { count: n_images }) : null,
    n_videos > 0 ? t('common.videos', { count: n_videos }) : null,
    n_frames ? t('common.frames', { count: n_frames }) : null,
    n_objects > 0 ? t('common.objects', { count: n_objects }) : null,
  ];
  return counts.filter((count) => count !== null);
}
