/** Number of base64url characters of a UUID's 16 bytes. */
const ID_LETTERS = 22;

/** Writes the media ids of covers in a form for addresses, in 60 % of the length of the ids themselves. */
export function writeCovers(covers: readonly (readonly string[])[]): string {
  return covers.map((ids) => ids.map(shortened).join('')).join('.');
}

/** Reads what {@link writeCovers} wrote. */
export function readCovers(text: string): string[][] {
  return text.split('.').map((cover) => {
    const letters = cover.length / ID_LETTERS;
    return Array.from({ length: letters }, (_, nth) => restored(cover.slice(nth * ID_LETTERS, (nth + 1) * ID_LETTERS)));
  });
}

function shortened(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function restored(short: string): string {
  return Buffer.from(short, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
