import type { MediaNames } from '../../core/ports/files.ts';

const IMAGES = ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'tif', 'tiff', 'heic', 'heif', 'avif', 'bmp', 'webp', 'jp2'];
const VIDEOS = ['mp4', 'm4v', 'mov', 'avi', 'mkv', 'webm', 'wmv', 'flv'];

function extension(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
}

/** The supported media formats, recognized by file extension. */
export const mediaNames: MediaNames = {
  isImage: (fileName) => IMAGES.includes(extension(fileName)),
  isVideo: (fileName) => VIDEOS.includes(extension(fileName)),
};
