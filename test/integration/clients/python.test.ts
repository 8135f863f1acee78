import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { needs } from '../../support/needs.ts';
import { python, pythonWith } from '../../support/python.ts';
import { repository, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PACKAGE = join(repository, 'clients', 'python');

let data: string;
let photos: string;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  [data, photos] = [join(folder, 'data'), join(folder, 'photos')];
  await writeImages(photos, [1, 2, 3]);
  const server = await startServer(data);
  atEnd(() => server.stop());
});

/** Runs Python with the package and the server of the file. Returns the exit code and what it printed. */
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(python, args, {
    env: {
      ...process.env,
      PYTHONPATH: join(PACKAGE, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      TEST_DATA: data,
      TEST_PHOTOS: photos,
      TEST_COMMAND: `${process.execPath} ${join(repository, 'out', 'main', 'headless.js')} serve`,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}

it('the Python client passes its tests', needs(pythonWith('httpx', 'jwt', 'pandas')), async () => {
  const { code, output } = await run('-m', 'unittest', 'discover', '-s', join(PACKAGE, 'tests'));
  expect(code, output).toBe(0);
});

const notebook = needs(pythonWith('httpx', 'jwt', 'anywidget', 'ipykernel', 'nbclient'));
it('shows a dataset in a notebook with a real kernel', notebook, async () => {
  const { code, output } = await run(join(PACKAGE, 'tests', 'kernel_notebook.py'));
  expect(code, output).toBe(0);
});
