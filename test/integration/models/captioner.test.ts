import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PreTrainedModel, RawImage, Tensor } from '@huggingface/transformers';
import { InferenceSession } from 'onnxruntime-node';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { RunnerOf } from '../../../src-main/contract/schemas/model-definition.ts';
import { openCaptioner, type RgbImage } from '../../../src-main/infra/inference/captioner.ts';
import { localTransformers } from '../../../src-main/infra/inference/local-transformers.ts';
import { smoothImages } from '../../../src-main/infra/inference/smooth-image.ts';
import { atEnd } from '../../support/at-end.ts';
import { image } from '../../support/images.ts';
import { countSockets, knockInVain } from '../../support/socket-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type TinyModel, writeTinyModel } from '../../support/tiny-models/generate.ts';

type Runner = RunnerOf<'captioner'>;
type Architecture = Runner['architecture'];

const CPU = { executionProviders: ['cpu'], threads: 1 };
const GREEDY = { max_new_tokens: 12, do_sample: false, num_beams: 1 };
const QUESTION = 'Describe the image in one sentence';
const MODELS = {
  vision_encoder_decoder: 'vit-gpt2',
  florence2: 'florence2',
  idefics3: 'smolvlm',
} as const satisfies Record<Architecture, TinyModel>;
const GRAPHS: Record<Architecture, string[]> = {
  vision_encoder_decoder: ['decoder_model_merged', 'encoder_model'],
  florence2: ['decoder_model_merged', 'embed_tokens', 'encoder_model', 'vision_encoder'],
  idefics3: ['decoder_model_merged', 'embed_tokens', 'vision_encoder'],
};
const ARCHITECTURES = Object.keys(MODELS) as Architecture[];

const runnerOf = (architecture: Architecture, changes: Partial<Runner> = {}): Runner => ({
  kind: 'captioner',
  architecture,
  dtype: 'fp32',
  prompt: architecture === 'idefics3' ? QUESTION : '',
  max_new_tokens: GREEDY.max_new_tokens,
  ...changes,
});

let root = '';
let images: RgbImage[] = [];
const folderOf = (architecture: Architecture) => join(root, MODELS[architecture]);

beforeAll(async () => {
  root = await temporaryFolder(atEnd);
  for (const architecture of ARCHITECTURES) writeTinyModel(root, MODELS[architecture]);
  // Seeds whose images get captions of different lengths.
  const made: [number, number, number][] = [
    [14, 64, 48],
    [8, 40, 90],
    [9, 33, 33],
    [24, 200, 100],
    [18, 31, 300],
  ];
  images = await Promise.all(made.map((of) => rgb(...of)));
});

async function rgb(seed: number, width: number, height: number): Promise<RgbImage> {
  const { data } = await sharp(await image(seed, width, height))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width, height };
}

async function captions(runner: Runner, given: readonly RgbImage[], folder = folderOf(runner.architecture)) {
  const captioner = await openCaptioner(folder, runner, CPU);
  try {
    return await captioner.caption(given);
  } finally {
    await captioner.release();
  }
}

/** Creates a model and the inputs of one image with transformers.js as its own documentation describes. */
async function ofLibrary(architecture: Architecture, { data, width, height }: RgbImage) {
  const library = await localTransformers();
  const folder = folderOf(architecture);
  const image: RawImage = new (smoothImages(library))(data, width, height, 3);
  const options = { dtype: 'fp32', session_options: { intraOpNumThreads: 1 } } as const;
  const processor = await library.AutoProcessor.from_pretrained(folder);
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder);
  if (architecture === 'vision_encoder_decoder') {
    const model: PreTrainedModel = await library.AutoModelForVision2Seq.from_pretrained(folder, options);
    const inputs: Record<string, Tensor> = await processor(image);
    return { model, tokenizer, processor, inputs };
  }
  if (architecture === 'florence2') {
    const model: PreTrainedModel = await library.Florence2ForConditionalGeneration.from_pretrained(folder, options);
    const inputs: Record<string, Tensor> = await processor(image, '<CAPTION>');
    return { model, tokenizer, processor, inputs };
  }
  const model: PreTrainedModel = await library.AutoModelForImageTextToText.from_pretrained(folder, options);
  const content = [{ type: 'image' }, { type: 'text', text: QUESTION }];
  const prompt = processor.apply_chat_template([{ role: 'user', content }], { add_generation_prompt: true });
  const inputs: Record<string, Tensor> = await processor(prompt, [image], { do_image_splitting: false });
  return { model, tokenizer, processor, inputs };
}

it.each([
  { resample: 2, name: 'bilinear' },
  { resample: 3, name: 'bicubic' },
] as const)('an image is made smaller as Pillow does it, $name: fine stripes become grey', async ({ resample }) => {
  const [side, small] = [256, 60];
  const data = Buffer.alloc(side * side * 3);
  for (let at = 0; at < side * side; at += 1) data.fill(at % 2 === 0 ? 0 : 254, at * 3, at * 3 + 3);
  const striped = new (smoothImages(await localTransformers()))(data, side, side, 3);
  const scaled = await striped.resize(small, small / 2, { resample });
  expect([scaled.width, scaled.height, scaled.channels]).toEqual([small, small / 2, 3]);
  // The outermost pixels average other shares of the stripes.
  const inner = scaled.data.filter((_, at) => Math.abs((Math.floor(at / 3) % small) - small / 2) < small / 2 - 2);
  for (const level of inner) expect(Math.abs(level - 127)).toBeLessThan(25);
  expect(await striped.resize(side, side, { resample })).toBe(striped);
});

/** Generation to the full length, without the rules of Florence-2's settings, which a bare forward pass ignores. */
const UNRULED = { eos_token_id: null, forced_bos_token_id: null, forced_eos_token_id: null, no_repeat_ngram_size: 0 };

type Generation = Parameters<PreTrainedModel['generate']>[0];

describe.each(ARCHITECTURES)('a captioner of kind %s', (architecture) => {
  it('gives the same tokens as transformers.js', async () => {
    const found = await captions(runnerOf(architecture), images);
    const expected: string[] = [];
    for (const given of images) {
      const { model, tokenizer, inputs } = await ofLibrary(architecture, given);
      const output = (await model.generate({ ...inputs, ...GREEDY } as Generation)) as Tensor;
      const promptTokens = architecture === 'idefics3' ? (inputs.input_ids?.dims.at(-1) ?? 0) : 0;
      const written = output.slice(null, [promptTokens, output.dims.at(-1) ?? 0]);
      expected.push(tokenizer.batch_decode(written, { skip_special_tokens: true })[0]?.trim() ?? '');
      await model.dispose();
    }
    expect(found).toEqual(expected);
    expect(new Set(found).size).toBeGreaterThan(2);
    for (const caption of found) expect(caption).toMatch(/^[a-z]+( [a-z]+)*$/);
  });

  it('gives the same captions for a batch as for single images', async () => {
    const captioner = await openCaptioner(folderOf(architecture), runnerOf(architecture), CPU);
    const together = await captioner.caption([...images, ...images]);
    const apart: string[] = [];
    for (const given of images) apart.push(...(await captioner.caption([given])));
    await captioner.release();
    expect(together).toEqual([...apart, ...apart]);
    const lengths = new Set(apart.map((caption) => caption.split(' ').length));
    expect(lengths.size).toBeGreaterThan(1);
  });

  it('stops a batch when the last of its captions has ended', async () => {
    const create = vi.spyOn(InferenceSession, 'create');
    onTestFinished(() => create.mockRestore());
    const captioner = await openCaptioner(folderOf(architecture), runnerOf(architecture, { max_new_tokens: 60 }), CPU);
    const decoder = create.mock.calls.findIndex(([from]) => String(from).includes('decoder_model_merged'));
    const run = vi.spyOn((await create.mock.results[decoder]?.value) as InferenceSession, 'run');
    const steps = async (given: readonly RgbImage[]) => {
      run.mockClear();
      await captioner.caption(given);
      return run.mock.calls.length;
    };
    const batch = images.slice(0, 4);
    const alone: number[] = [];
    for (const given of batch) alone.push(await steps([given]));
    expect(await steps(batch)).toBe(Math.max(...alone));
    expect(new Set(alone).size).toBeGreaterThan(1);
    expect(Math.max(...alone)).toBeLessThan(60);
    await captioner.release();
  });

  it('gives the same captions with and without its cache', async () => {
    const { Tensor: OfLibrary, ones } = await localTransformers();
    for (const given of images) {
      const { model, inputs } = await ofLibrary(architecture, given);
      const cached = await model.generate({ ...inputs, ...GREEDY, ...UNRULED } as unknown as Generation);
      const ids: bigint[] = (cached as Tensor).tolist()[0];
      const promptTokens = architecture === 'idefics3' ? (inputs.input_ids?.dims.at(-1) ?? 0) : 1;
      expect(ids).toHaveLength(promptTokens + GREEDY.max_new_tokens);
      for (let at = promptTokens; at < ids.length; at += 1) {
        const before = new OfLibrary('int64', BigInt64Array.from(ids.slice(0, at)), [1, at]);
        const requested =
          architecture === 'idefics3'
            ? { ...inputs, input_ids: before, attention_mask: ones([1, at]) }
            : { ...inputs, decoder_input_ids: before };
        const { logits } = (await model.forward(requested)) as { logits: Tensor };
        const last: number[] = logits.slice(null, -1, null).flatten().tolist();
        expect(BigInt(last.indexOf(Math.max(...last)))).toBe(ids[at]);
      }
      await model.dispose();
    }
  });

  it('writes at most the maximum number of tokens, on one line', async () => {
    const short = await captions(runnerOf(architecture, { max_new_tokens: 3 }), images);
    const long = await captions(runnerOf(architecture), images);
    for (const [index, caption] of short.entries()) {
      expect(caption.split(' ').length).toBeLessThanOrEqual(3);
      expect(long[index]?.startsWith(caption)).toBe(true);
    }
  });

  it('is greedy whatever the settings of the model', async () => {
    const folder = writeTinyModel(join(root, 'sampling'), MODELS[architecture]);
    const file = join(folder, 'generation_config.json');
    const asks = { ...JSON.parse(await readFile(file, 'utf8')), do_sample: true, temperature: 5, num_beams: 4 };
    await writeFile(file, JSON.stringify(asks));
    expect(await captions(runnerOf(architecture), images, folder)).toEqual(
      await captions(runnerOf(architecture), images),
    );
  });

  it('loads its own graphs in the expected variant and no others, and frees them', async () => {
    const folder = writeTinyModel(join(root, 'variants'), MODELS[architecture]);
    const merged = join(folder, 'onnx', 'decoder_model_merged');
    await rename(`${merged}.onnx`, `${merged}_q4.onnx`);
    for (const other of ['model', 'decoder_model', 'decoder_with_past_model', 'encoder_model_quantized']) {
      await writeFile(join(folder, 'onnx', `${other}.onnx`), 'not a graph');
    }
    const create = vi.spyOn(InferenceSession, 'create');
    onTestFinished(() => create.mockRestore());
    const dtype = Object.fromEntries(
      GRAPHS[architecture].map((name) => [name, name === 'decoder_model_merged' ? 'q4' : 'fp32']),
    );
    const captioner = await openCaptioner(folder, runnerOf(architecture, { dtype }), CPU);
    const loaded = create.mock.calls.map(([from]) => basename(String(from), '.onnx')).sort();
    expect(loaded).toEqual(
      GRAPHS[architecture].map((name) => (name in dtype && dtype[name] === 'q4' ? `${name}_q4` : name)),
    );
    const settings = create.mock.calls.map(([, options]) => options);
    for (const options of settings) {
      expect(options).toMatchObject({ executionProviders: ['cpu'], intraOpNumThreads: 1 });
    }
    const sessions = await Promise.all(create.mock.results.map(({ value }) => value as Promise<InferenceSession>));
    const released = sessions.map((session) => vi.spyOn(session, 'release'));
    await captioner.caption(images.slice(0, 1));
    await captioner.release();
    for (const release of released) expect(release).toHaveBeenCalledOnce();
    await expect(captioner.caption(images.slice(0, 1))).rejects.toThrow();
  });

  it('opens no connection, even for optional files that are missing', async () => {
    const folder = writeTinyModel(join(root, 'bare'), MODELS[architecture]);
    await rm(join(folder, 'special_tokens_map.json'));
    await rm(join(folder, 'generation_config.json'));
    const sockets = countSockets();
    await captions(runnerOf(architecture, { max_new_tokens: 2 }), images.slice(0, 1), folder);
    expect(sockets()).toBe(0);
    // Proves that the counter detects a connection.
    await knockInVain();
    expect(sockets()).toBe(1);
  });

  it('reports damaged and missing files, without their paths', async () => {
    const folder = writeTinyModel(join(root, 'broken'), MODELS[architecture]);
    const refusal = async (): Promise<string> => {
      const failure = await openCaptioner(folder, runnerOf(architecture), CPU).catch((error: unknown) => error);
      if (!(failure instanceof AppError)) throw new Error('expected an AppError', { cause: failure });
      expect(failure.code).toBe('unavailable');
      expect(failure.message).not.toContain(root);
      return failure.message;
    };
    await writeFile(join(folder, 'onnx', 'decoder_model_merged.onnx'), 'not a graph');
    expect(await refusal()).toContain('decoder_model_merged.onnx');
    await rm(join(folder, 'onnx', 'decoder_model_merged.onnx'));
    expect(await refusal()).toContain('decoder_model_merged.onnx');
    if (architecture === 'idefics3') {
      await rm(join(folder, 'processor_config.json'));
      expect(await refusal()).toContain('processor_config.json is missing');
    }
    await writeFile(join(folder, 'tokenizer.json'), '{"version": ');
    expect(await refusal()).toContain('tokenizer.json is damaged');
    await rm(join(folder, 'preprocessor_config.json'));
    expect(await refusal()).toContain('preprocessor_config.json is missing');
  });
});

describe('prompts of models', () => {
  it('converts a task of Florence-2 to its prompt, and location tokens to labels', async () => {
    const runner = runnerOf('florence2');
    const caption = await captions(runner, images);
    expect(await captions({ ...runner, prompt: '<CAPTION>' }, images)).toEqual(caption);
    // A custom sentence is used as the prompt unchanged.
    expect(await captions({ ...runner, prompt: 'what does the image describe?' }, images)).toEqual(caption);
    expect(await captions({ ...runner, prompt: 'the boat' }, images)).not.toEqual(caption);
    // No location tokens were generated, so no object was found.
    expect(await captions({ ...runner, prompt: '<OD>' }, images)).toEqual(images.map(() => ''));
  });

  it('asks SmolVLM its question in the chat template, also from a separate file', async () => {
    const runner = runnerOf('idefics3');
    const requested = await captions(runner, images);
    expect(await captions({ ...runner, prompt: 'what is on the beach' }, images)).not.toEqual(requested);
    const folder = writeTinyModel(join(root, 'template'), 'smolvlm');
    const file = join(folder, 'tokenizer_config.json');
    const { chat_template, ...config } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify(config));
    await expect(captions(runner, images, folder)).rejects.toThrow(/chat template/);
    await writeFile(join(folder, 'chat_template.json'), JSON.stringify({ chat_template }));
    expect(await captions(runner, images, folder)).toEqual(requested);
  });
});
