import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import {
  type Runner,
  type RunnerOf,
  runner as runnerSchema,
  type TextTower,
} from '../../contract/schemas/model-definition.ts';
import {
  CAPTIONER_GRAPHS,
  type FoundPackage,
  findVariant,
  idOfName,
  isFile,
  nameOfFolder,
  ownPackage,
} from './found-package.ts';
import { type OnnxPort, readOnnx } from './onnx-reader.ts';
import { readJson } from './package-folder.ts';
import { type ConfigFile, configFile, readImageInput, readSettings, tokenizerFile } from './transformers-files.ts';

type Models = Parameters<typeof ownPackage>[3];

const ENCODERS = new Set(['clip', 'siglip', 'siglip2', 'chinese_clip', 'mobileclip']);
const DETECTORS = new Set(['d_fine', 'rt_detr', 'rt_detr_v2', 'detr', 'yolos']);
const CAPTIONERS: Record<string, RunnerOf<'captioner'>['architecture']> = {
  'vision-encoder-decoder': 'vision_encoder_decoder',
  florence2: 'florence2',
  idefics3: 'idefics3',
};
const LABELS_FILE = 'labels.txt';

/**
 * Recognises a folder in the layout of transformers.js: `config.json`, `onnx/`, and the settings of preprocessing and postprocessing.
 * @throws AppError `invalid_request` that names what is missing or cannot be used.
 */
export async function recogniseTransformers(folder: string): Promise<FoundPackage | undefined> {
  if (!(await isFile(join(folder, 'config.json')))) return undefined;
  const config = await readSettings(folder, 'config.json', configFile);
  const name = nameOfFolder(folder);
  const id = idOfName(name);
  const about = { name, vendor: '', licence: '' };
  const type = config.model_type;
  const of = (task: string) => config.architectures?.some((name) => name.endsWith(task)) ?? false;

  if (ENCODERS.has(type)) return ownPackage(folder, id, about, await encoderModels(folder, id, config));
  const captioner = CAPTIONERS[type];
  if (captioner) return ownPackage(folder, id, about, await captionModels(folder, id, captioner));
  if (DETECTORS.has(type)) {
    const { runner, labels } = await detector(folder, config);
    return ownPackage(folder, id, about, [described(id, 'OBJECT_DETECTION', runner)], [labels]);
  }
  if (of('ForImageClassification')) {
    const { runner, labels } = await classifier(folder, config);
    return ownPackage(folder, id, about, [described(id, 'IMAGE_TAGGING', runner)], [labels]);
  }
  if (of('Model') || of('ForMaskedLM')) {
    return ownPackage(folder, id, about, [described(id, 'CAPTION_ENCODING', await sentenceEncoder(folder, config))]);
  }
  throw new AppError('invalid_request', message('model_kind_unsupported', { kind: type }));
}

const DESCRIPTIONS: Record<Models[number]['type'], string> = {
  MULTIMODEL_IMAGE_ENCODING: 'Finds images by what they show.',
  IMAGE_TAGGING: 'Tags images.',
  OBJECT_DETECTION: 'Finds objects and their boxes.',
  CAPTION_IMAGES: 'Describes images in words.',
  CAPTION_OBJECTS: 'Describes objects in words.',
  CAPTION_ENCODING: 'Finds captions by what they mean.',
};

function described(id: string, type: Models[number]['type'], runner: Runner, name = id): Models[number] {
  return { id, name, type, description: DESCRIPTIONS[type], runner };
}

/** Describes the image encoder, its text encoder if there is one, and a tagger that uses both. */
async function encoderModels(folder: string, id: string, config: ConfigFile): Promise<Models> {
  const vision = await findVariant(folder, 'vision_model');
  const graph = await readOnnx(join(folder, vision.path));
  const [image, ...others] = graph.inputs;
  if (!image || others.length > 0) {
    throw new AppError('invalid_request', message('model_takes_more_than_image', { file: vision.path }));
  }
  const output = vectorOutput(graph.outputs, ['image_embeds', 'pooler_output'], vision.path);
  const text = await textTower(folder, config);
  const encoder: RunnerOf<'image_encoder'> = {
    kind: 'image_encoder',
    model_file: vision.path,
    output: output.name,
    dim: dimOf(output) ?? dimOfConfig(config, vision.path),
    input: await readImageInput(folder, image.name, image.shape),
    ...(text && { text }),
  };
  const models = [described(id, 'MULTIMODEL_IMAGE_ENCODING', encoder)];
  if (text) {
    const tagger = runnerSchema.parse({ kind: 'zero_shot', encoder: { ...encoder, text } });
    models.push(described(`${id}-tags`, 'IMAGE_TAGGING', tagger, `${id}, tags`));
  }
  return models;
}

async function textTower(folder: string, config: ConfigFile): Promise<TextTower | undefined> {
  if (!(await isFile(join(folder, 'tokenizer.json')))) return undefined;
  const { path } = await findVariant(folder, 'text_model');
  const output = vectorOutput((await readOnnx(join(folder, path))).outputs, ['text_embeds', 'pooler_output'], path);
  const isSiglip = config.model_type.startsWith('siglip');
  return {
    model_file: path,
    output: output.name,
    pooling: 'none',
    max_tokens: await maxTokens(folder, config.text_config?.max_position_embeddings ?? (isSiglip ? 64 : 77)),
    // SigLIP was trained on texts padded to their full length (https://huggingface.co/docs/transformers/model_doc/siglip).
    padding: isSiglip ? 'max_length' : 'longest',
  };
}

async function captionModels(
  folder: string,
  id: string,
  architecture: RunnerOf<'captioner'>['architecture'],
): Promise<Models> {
  const dtype: Record<string, string> = {};
  for (const graph of CAPTIONER_GRAPHS[architecture]) dtype[graph] = (await findVariant(folder, graph)).dtype;
  for (const name of ['preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    await readSettings(folder, name, tokenizerFile);
  }
  const runner = runnerSchema.parse({ kind: 'captioner', architecture, dtype });
  return [
    described(id, 'CAPTION_IMAGES', runner),
    described(`${id}-objects`, 'CAPTION_OBJECTS', runner, `${id}, objects`),
  ];
}

async function detector(folder: string, config: ConfigFile) {
  const { path } = await findVariant(folder, 'model');
  const graph = await readOnnx(join(folder, path));
  for (const name of ['logits', 'pred_boxes']) {
    if (!graph.outputs.some((output) => output.name === name)) {
      throw new AppError('invalid_request', message('model_output_missing', { file: path, names: name }));
    }
  }
  const image = imageOf(graph.inputs, path);
  const runner = runnerSchema.parse({
    kind: 'detector',
    model_file: path,
    input: await readImageInput(folder, image.name, image.shape),
    labels_file: LABELS_FILE,
    decoder: 'detr',
  });
  return { runner, labels: labelsOf(config) };
}

async function classifier(folder: string, config: ConfigFile) {
  const { path } = await findVariant(folder, 'model');
  const graph = await readOnnx(join(folder, path));
  const image = imageOf(graph.inputs, path);
  const runner = runnerSchema.parse({
    kind: 'classifier',
    model_file: path,
    output: vectorOutput(graph.outputs, ['logits'], path).name,
    input: await readImageInput(folder, image.name, image.shape),
    labels_file: LABELS_FILE,
    activation: config.problem_type === 'multi_label_classification' ? 'sigmoid' : 'softmax',
  });
  return { runner, labels: labelsOf(config) };
}

async function sentenceEncoder(folder: string, config: ConfigFile): Promise<RunnerOf<'sentence_encoder'>> {
  const { path } = await findVariant(folder, 'model');
  const { outputs } = await readOnnx(join(folder, path));
  const output = outputs.find(({ name }) => name === 'last_hidden_state' || name === 'token_embeddings');
  if (!output)
    throw new AppError('invalid_request', message('model_output_missing', { file: path, names: 'last_hidden_state' }));
  await readSettings(folder, 'tokenizer.json', configFile.partial());
  return {
    kind: 'sentence_encoder',
    model_file: path,
    output: output.name,
    pooling: await pooling(folder),
    max_tokens: await maxTokens(folder, config.max_position_embeddings ?? 512),
    padding: 'longest',
    dim: dimOf(output) ?? dimOfConfig(config, path),
  };
}

/** Reads the pooling as sentence-transformers states it (`1_Pooling/config.json`); otherwise its default. */
async function pooling(folder: string): Promise<'mean' | 'cls'> {
  try {
    const stated = await readJson(join(folder, '1_Pooling', 'config.json'));
    return (stated as Record<string, unknown>).pooling_mode_cls_token === true ? 'cls' : 'mean';
  } catch {
    return 'mean';
  }
}

async function maxTokens(folder: string, otherwise: number): Promise<number> {
  const { model_max_length } = await readSettings(folder, 'tokenizer_config.json', tokenizerFile);
  // Tokenizers without a limit state a huge one.
  return Math.min(model_max_length ?? otherwise, otherwise, 8192);
}

function labelsOf(config: ConfigFile): { path: string; content: string } {
  const labels = Object.entries(config.id2label ?? {}).sort(([a], [b]) => Number(a) - Number(b));
  if (labels.length === 0) throw new AppError('invalid_request', message('model_class_names_missing'));
  if (labels.some(([id], at) => Number(id) !== at)) {
    throw new AppError('invalid_request', message('model_class_names_incomplete'));
  }
  return { path: LABELS_FILE, content: `${labels.map(([, label]) => label.replaceAll('\n', ' ')).join('\n')}\n` };
}

function imageOf(inputs: OnnxPort[], path: string): OnnxPort {
  const image = inputs.find(({ name }) => name === 'pixel_values') ?? inputs[0];
  if (!image) throw new AppError('invalid_request', message('model_takes_no_image', { file: path }));
  return image;
}

function vectorOutput(outputs: OnnxPort[], names: readonly string[], path: string): OnnxPort {
  const output = names.map((name) => outputs.find((port) => port.name === name)).find((port) => port !== undefined);
  if (!output)
    throw new AppError('invalid_request', message('model_output_missing', { file: path, names: names.join(' or ') }));
  return output;
}

function dimOf(output: OnnxPort): number | undefined {
  const last = output.shape?.at(-1);
  return typeof last === 'number' && last > 1 ? last : undefined;
}

function dimOfConfig(config: ConfigFile, path: string): number {
  const dim =
    config.projection_dim ??
    config.vision_config?.projection_dim ??
    config.vision_config?.hidden_size ??
    config.hidden_size;
  if (dim === undefined) throw new AppError('invalid_request', message('model_dim_unknown', { file: path }));
  return dim;
}
