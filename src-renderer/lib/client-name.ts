/** Browsers and systems as their `User-Agent` names them; of those that name several, the first here is meant. */
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
 * What a person calls the program behind a `User-Agent`, such as `Firefox, Linux`. A program that names itself shortly is shown by its
 * own word.
 * @returns undefined when it names nothing.
 */
export function clientName(userAgent: string): string | undefined {
  const program = PROGRAMS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (program !== undefined) return system === undefined ? program : `${program}, ${system}`;
  const [own] = userAgent.trim().split(/[\s/]/);
  return own === '' ? undefined : own;
}
