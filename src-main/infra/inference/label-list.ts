import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads labels by class. A text file has one label per line: a leading WordNet id such as `n01440764` is skipped, and of several names
 * separated by commas the first is used. A JSON file is an array of labels, or a `config.json` with them under `id2label`.
 * @throws whatever reading and parsing throw.
 */
export async function readLabelList(folder: string, file: string): Promise<string[]> {
  const text = (await readFile(join(folder, file), 'utf8')).replace(/^\uFEFF/, '');
  const names = file.endsWith('.json') ? namesIn(JSON.parse(text)) : text.trimEnd().split(/\r?\n/);
  return names.map((name) => (name.replace(/^n\d{8}\s+/, '').split(',')[0] ?? '').trim());
}

function namesIn(json: unknown): string[] {
  const byClass: unknown = Array.isArray(json) ? json : (json as { id2label?: unknown } | null)?.id2label;
  if (typeof byClass !== 'object' || byClass === null) throw new Error('The file has no labels.');
  const names: string[] = [];
  for (const [classId, name] of Object.entries(byClass)) names[Number(classId)] = String(name);
  // Some lists skip numbers, as COCO's ids do.
  return Array.from(names, (name) => name ?? '');
}
