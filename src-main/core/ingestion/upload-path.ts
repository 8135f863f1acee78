/**
 * The path of an uploaded file inside its dataset: what the client called it, with folders kept and everything dropped that could point
 * outside. It is only ever shown and compared, never used to open a file.
 */
export function uploadPath(fileName: string): string {
  const parts = fileName
    .replaceAll('\\', '/')
    .split('/')
    .map((part) =>
      Array.from(part, (character) => (character < ' ' || character === '\u007f' ? '_' : character)).join(''),
    )
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.join('/') || 'unnamed';
}
