/**
 * Returns the path of an uploaded file inside its dataset: the client's file name with its folders, without parts that could point outside
 * the dataset. The path is only shown and compared, never used to open a file.
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
