import type {
  DataType,
  Florence2Processor,
  PreTrainedModel,
  PreTrainedTokenizer,
  Processor,
  RawImage,
  Tensor,
} from '@huggingface/transformers';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import { generateGreedily } from './greedy-generation.ts';
import type { LOCAL_FILES, Transformers } from './local-transformers.ts';
import { loadPart, readModelJson, requireModelJson } from './model-parts.ts';

type Runner = RunnerOf<'captioner'>;

/** Options of transformers.js for loading graphs. */
export type LoadOptions = typeof LOCAL_FILES & {
  dtype: DataType | Record<string, DataType>;
  session_options: object;
};

export interface OpenedCaptioner {
  model: PreTrainedModel;
  /** Images per batch, limited by the memory that each needs, including the caches of generation. */
  batch_images: number;
  /** Captions a batch of images, which may differ in size. */
  describe(images: RawImage[]): Promise<string[]>;
}

type Open = (library: Transformers, folder: string, runner: Runner, options: LoadOptions) => Promise<OpenedCaptioner>;

/** Loading and prompting of each architecture; loading reads only the graphs of that architecture. */
export const CAPTIONER_ARCHITECTURES: Record<Runner['architecture'], Open> = {
  vision_encoder_decoder: openVisionEncoderDecoder,
  florence2: openFlorence2,
  idefics3: openIdefics3,
};

const openTokenizer = (library: Transformers, folder: string, options: LoadOptions): Promise<PreTrainedTokenizer> =>
  loadPart('tokenizer.json', () => library.AutoTokenizer.from_pretrained(folder, options));

/** ViT and GPT-2, or any pair of an image encoder and a text decoder: takes no prompt. */
async function openVisionEncoderDecoder(library: Transformers, folder: string, runner: Runner, options: LoadOptions) {
  const tokenizer = await openTokenizer(library, folder, options);
  const processor = await loadPart('preprocessor_config.json', () =>
    library.AutoImageProcessor.from_pretrained(folder, options),
  );
  const model = await loadPart('the graphs', () => library.VisionEncoderDecoderModel.from_pretrained(folder, options));
  return {
    model,
    batch_images: 8,
    describe: async (images: RawImage[]) => {
      const { pixel_values } = await processor(images);
      const written = await generateGreedily(library, model, { pixel_values }, runner.max_new_tokens);
      return decode(tokenizer, written, true);
    },
  };
}

/** Florence-2 (arXiv 2311.06242): the prompt is a task, which its processor turns into the sentence that it was trained with. */
async function openFlorence2(library: Transformers, folder: string, runner: Runner, options: LoadOptions) {
  const processor = (await loadPart('the processor', () =>
    library.Florence2Processor.from_pretrained(folder, options),
  )) as Florence2Processor;
  const tokenizer = tokenizerOf(processor);
  const model = await loadPart('the graphs', () =>
    library.Florence2ForConditionalGeneration.from_pretrained(folder, options),
  );
  const task = runner.prompt === '' ? '<CAPTION>' : runner.prompt;
  return {
    model,
    batch_images: 4,
    describe: async (images: RawImage[]) => {
      const prompts = images.map(() => task);
      const inputs: Record<string, Tensor> = await processor(images, prompts);
      const written = await generateGreedily(library, model, inputs, runner.max_new_tokens);
      // Coordinates are special tokens, which the processor reads.
      const texts = decode(tokenizer, written, false);
      return texts.map((text, index) => {
        const { height = 0, width = 0 } = images[index] ?? {};
        const answers: Record<string, unknown> = processor.post_process_generation(text, task, [height, width]);
        return answerText(answers[task]);
      });
    },
  };
}

/** Tasks that locate objects return labels and boxes; a caption uses the labels. */
function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const labels = (answer as { labels?: unknown } | undefined)?.labels;
  return Array.isArray(labels) ? labels.join(', ') : '';
}

/** Idefics3 and SmolVLM: a chat with one question. The image is not cut into tiles, which would multiply the work. */
async function openIdefics3(library: Transformers, folder: string, runner: Runner, options: LoadOptions) {
  await requireModelJson(folder, ['processor_config.json']);
  const processor = await loadPart('the processor', () => library.Idefics3Processor.from_pretrained(folder, options));
  const tokenizer = tokenizerOf(processor);
  const chatTemplate = await chatTemplateBeside(folder);
  const question = runner.prompt === '' ? 'Describe this image in one sentence.' : runner.prompt;
  const content = [{ type: 'image' }, { type: 'text', text: question }];
  const prompt = await loadPart('the chat template', async () =>
    String(
      processor.apply_chat_template([{ role: 'user', content }], {
        add_generation_prompt: true,
        ...(chatTemplate === undefined ? {} : { chat_template: chatTemplate }),
      }),
    ),
  );
  const model = await loadPart('the graphs', () =>
    library.Idefics3ForConditionalGeneration.from_pretrained(folder, options),
  );
  return {
    model,
    batch_images: 4,
    describe: async (images: RawImage[]) => {
      const inputs: Record<string, Tensor> = await processor(
        images.map(() => prompt),
        images.map((image) => [image]),
        { do_image_splitting: false },
      );
      const written = await generateGreedily(library, model, inputs, runner.max_new_tokens);
      return decode(tokenizer, written, true);
    },
  };
}

/** Newer exports store the template outside `tokenizer_config.json`, where transformers.js expects it. */
async function chatTemplateBeside(folder: string): Promise<string | undefined> {
  const beside = await readModelJson(folder, 'chat_template.json');
  const template = (beside as { chat_template?: unknown } | undefined)?.chat_template;
  return typeof template === 'string' ? template : undefined;
}

function tokenizerOf({ tokenizer }: Processor): PreTrainedTokenizer {
  if (tokenizer === undefined) throw new AppError('unavailable', message('model_without_tokenizer'));
  return tokenizer;
}

function decode(tokenizer: PreTrainedTokenizer, rows: readonly bigint[][], skipSpecialTokens: boolean): string[] {
  return rows.map((row) => (row.length === 0 ? '' : tokenizer.decode(row, { skip_special_tokens: skipSpecialTokens })));
}
