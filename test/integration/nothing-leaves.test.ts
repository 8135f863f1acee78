import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Api } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Every process in which ONNX Runtime's telemetry starts creates a file with this name in the temporary folder. */
const TRACE = /^mat-debug/;

it('starts no telemetry of ONNX Runtime in any process', async () => {
  const temporary = await temporaryFolder();
  const server = await startServer(await temporaryFolder(), {
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    // Clears settings of these tests and of build machines that would disable telemetry on their own.
    ORT_DISABLE_TELEMETRY: '',
    CI: '',
  });
  onTestFinished(() => void server.stop());
  const api = new Api(server.baseUrl);
  const folder = await temporaryFolder();
  await writeImages(folder, [1, 2, 3]);
  const id = await api.createFromFolder('quiet', folder);
  await api.waitFor(id, 'READY');
  const { body } = await api.get<{ clusters: { previews: { media_id: string }[] }[] }>(`/explore/${id}`);
  const anchor = body.clusters[0]?.previews[0]?.media_id;
  expect((await api.get(`/explore/${id}?anchor_media_id=${anchor}&anchor_type=MEDIA`)).status).toBe(200);
  expect((await api.get('/models/devices')).status).toBe(200);
  expect((await readdir(temporary)).filter((name) => TRACE.test(name))).toEqual([]);
});
