import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Labels of a list, by class. A text file has one a line: a leading WordNet id such as `n01440764` is passed over; of several names, parted
 * by commas, the first is taken. A JSON file is an array of labels, or a `config.json` with them under `id2label`.
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
  // Some lists leave numbers out, as COCO's ids do.
  return Array.from(names, (name) => name ?? '');
}
