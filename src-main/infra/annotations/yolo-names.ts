import { parse as parseYaml } from 'yaml';

/**
 * Parses the classes that a YOLO names file declares, by id: text files have one per line, from 0; YAML files have them under `names`, as a
 * list or as a map of ids. Empty for a file without names.
 */
export function parseYoloNames(fileName: string, text: string): Map<number, string> {
  const plain = text.replace(/^\ufeff/, '');
  const names = /\.ya?ml$/i.test(fileName)
    ? namesOfYaml(plain)
    : plain.split(/\r\n|\r|\n/).map((line, id): [number, string] => [id, line.trim()]);
  return new Map(names.filter(([, name]) => name !== ''));
}

function namesOfYaml(text: string): [number, string][] {
  let document: unknown;
  try {
    document = parseYaml(text, { maxAliasCount: 0, logLevel: 'silent' });
  } catch {
    return [];
  }
  const names = typeof document === 'object' && document !== null && 'names' in document ? document.names : undefined;
  if (typeof names !== 'object' || names === null) return [];
  return Object.entries(names).flatMap(([id, name]): [number, string][] =>
    /^\d{1,9}$/.test(id) && (typeof name === 'string' || typeof name === 'number')
      ? [[Number(id), String(name).trim()]]
      : [],
  );
}
