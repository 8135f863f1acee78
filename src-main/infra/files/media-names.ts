import { lookup } from 'mime-types';
import type { MediaNames } from '../../core/ports/files.ts';

const IMAGES = ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'tif', 'tiff', 'heic', 'heif', 'avif', 'bmp', 'webp', 'jp2'];
const VIDEOS = ['mp4', 'm4v', 'mov', 'avi', 'mkv', 'webm', 'wmv', 'flv'];

function extension(file_name: string): string {
  return file_name.slice(file_name.lastIndexOf('.') + 1).toLowerCase();
}

/** The media formats of the interface, told by the extension of a name. */
export const mediaNames: MediaNames = {
  isImage: (file_name) => IMAGES.includes(extension(file_name)),
  isVideo: (file_name) => VIDEOS.includes(extension(file_name)),
};

/** MIME type by name; `application/octet-stream` when unknown. */
export function contentTypeOf(file_name: string): string {
  return lookup(file_name) || 'application/octet-stream';
}
