import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/**
 * A JSON file of a model's folder, or undefined when there is none.
 *
 * @throws AppError `unavailable` when it cannot be read.
 */
export async function readModelJson(folder: string, name: string): Promise<unknown> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw damaged(name);
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(name);
  }
}

/**
 * Checks that required files are valid JSON. Checked before loading because transformers.js puts paths into its messages and remembers a
 * missing `tokenizer_config.json` after the file has been added.
 *
 * @throws AppError `unavailable` naming the file.
 */
export async function requireModelJson(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if ((await readModelJson(folder, name)) === undefined) {
      throw new AppError('unavailable', message('model_part_missing', { file: name }));
    }
  }
}

/**
 * Loads a part of a model. An error names the file without the paths that libraries put into their messages; the full message goes to the
 * process's stderr.
 *
 * @param what Used instead of the file name if the error names none.
 * @throws AppError `unavailable`
 */
export async function loadPart<Part>(what: string, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof AppError) throw error;
    process.stderr.write(`${what}: ${String(error)}\n`);
    const [, file = what] = FILE_IN_PATH.exec(String(error)) ?? [];
    throw new AppError('unavailable', message('model_part_unusable', { file }));
  }
}

const FILE_IN_PATH = /[\\/]([\w.-]+\.(?:onnx|json))(?![\w\\/])/;

const damaged = (name: string): AppError => new AppError('unavailable', message('model_part_damaged', { file: name }));
