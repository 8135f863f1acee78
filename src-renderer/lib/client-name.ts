/** Browsers and systems by their `User-Agent` token. If several match, the first one counts. */
const PROGRAMS: readonly (readonly [mark: string, name: string])[] = [
  ['Electron/', 'Vitrine'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];

/**
 * Display name of the program behind a `User-Agent`, such as `Firefox, Linux`. Short names are returned unchanged.
 * @returns undefined if the header names no program.
 */
export function clientName(userAgent: string): string | undefined {
  const program = PROGRAMS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (program !== undefined) return system === undefined ? program : `${program}, ${system}`;
  const [own] = userAgent.trim().split(/[\s/]/);
  return own === '' ? undefined : own;
}
