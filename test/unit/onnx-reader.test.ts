import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quantisesWeightsOnly } from '../../src-main/infra/inference/model-session.ts';
import { readOnnx } from '../../src-main/infra/models/onnx-reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { tinyEncoder } from '../support/tiny-encoder.ts';

async function written(bytes: Uint8Array): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'model.onnx');
  await writeFile(file, bytes);
  return file;
}

/** A protobuf field of bytes, for content shorter than 128 bytes. */
const field = (number: number, content: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, Buffer.byteLength(content)]), Buffer.from(content)]);
const entry = (key: string, value: string) => field(13, Buffer.concat([field(1, key), field(2, value)]));

describe('reading inputs and outputs of a graph', () => {
  it('finds names and shapes, and skips weights', async () => {
    const file = await written(tinyEncoder(300_000));
    expect(await readOnnx(file)).toEqual({
      inputs: [{ name: 'pixel_values', shape: ['batch', 3, 8, 8] }],
      outputs: [{ name: 'image_embeds', shape: ['batch', 192] }],
      external_files: [],
      operators: ['Flatten'],
    });
  });

  it('finds weights in external files, and does not list weights as inputs', async () => {
    const weight = Buffer.concat([field(8, 'w'), entry('location', 'model.onnx_data'), entry('offset', '0')]);
    const graph = Buffer.concat([
      field(5, weight),
      field(11, field(1, 'w')),
      field(11, field(1, 'x')),
      field(12, field(1, 'y')),
    ]);
    const file = await written(Buffer.concat([Buffer.from([8, 8]), field(7, graph)]));
    expect(await readOnnx(file)).toEqual({
      inputs: [{ name: 'x', shape: null }],
      outputs: [{ name: 'y', shape: null }],
      external_files: ['model.onnx_data'],
      operators: [],
    });
  });

  it('distinguishes weights stored in 8 bits from models that compute in 8 bits', async () => {
    const graphOf = (...kinds: string[]) =>
      Buffer.concat([
        ...kinds.map((kind) => field(1, Buffer.concat([field(1, 'x'), field(4, kind)]))),
        field(12, field(1, 'y')),
      ]);
    const isFolded = async (...kinds: string[]) =>
      quantisesWeightsOnly(await written(Buffer.concat([Buffer.from([8, 8]), field(7, graphOf(...kinds))])));
    expect(await isFolded('DequantizeLinear', 'Conv', 'DequantizeLinear')).toBe(true);
    expect(await isFolded('QuantizeLinear', 'DequantizeLinear', 'Conv')).toBe(false);
    expect(await isFolded('DynamicQuantizeLinear', 'MatMulInteger', 'DequantizeLinear')).toBe(false);
    expect(await isFolded('Conv')).toBe(false);
    expect(await quantisesWeightsOnly(await written(Buffer.from('no graph')))).toBe(false);
  });

  it('distinguishes a truncated file from another kind of file', async () => {
    const model = tinyEncoder(1000);
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      const cut = await written(model.subarray(0, Math.floor(model.length * share)));
      await expect(readOnnx(cut)).rejects.toMatchObject({ code: 'invalid_request', message: 'is cut off' });
    }
    for (const other of ['', '<html></html>', '{"a": 1}', 'version https://git-lfs.github.com/spec/v1\n', '\0\0\0\0']) {
      await expect(readOnnx(await written(Buffer.from(other)))).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('never fails in another way on damaged bytes', async () => {
    const model = tinyEncoder(200);
    for (let at = 0; at < 200; at += 1) {
      const damaged = Buffer.from(model);
      damaged[at] = (at * 37 + 11) % 256;
      await readOnnx(await written(damaged)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'invalid_request' });
      });
    }
  });
});
