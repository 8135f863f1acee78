import { WORDS } from './words.ts';

/** `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json` of one tokenizer. */
export interface TokenizerFiles {
  files: Record<string, unknown>;
  vocab_size: number;
  idOf(token: string): number;
  /** Ids of whole words, with a leading space if the tokenizer has such tokens. */
  words: number[];
}

type Vocabulary = Map<string, number>;

/** Printable character of each byte in byte-level BPE (Radford et al., GPT-2, 2019). */
function byteCharacters(): string[] {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let moved = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    if (printable(byte)) return String.fromCodePoint(byte);
    moved += 1;
    return String.fromCodePoint(moved - 1);
  });
}

/** Creates merges that build each unit from its first symbols on. Every intermediate symbol joins the vocabulary. */
function learnMerges(units: readonly (readonly string[])[], vocabulary: Vocabulary): [string, string][] {
  const merges = new Map<string, [string, string]>();
  for (const unit of units) {
    unit.reduce((joined, next) => {
      merges.set(`${joined} ${next}`, [joined, next]);
      if (!vocabulary.has(joined + next)) vocabulary.set(joined + next, vocabulary.size);
      return joined + next;
    });
  }
  return [...merges.values()];
}

const vocabularyOf = (tokens: Iterable<string>): Vocabulary => {
  const vocabulary: Vocabulary = new Map();
  for (const token of tokens) if (!vocabulary.has(token)) vocabulary.set(token, vocabulary.size);
  return vocabulary;
};

interface Description {
  vocabulary: Vocabulary;
  specials: readonly string[];
  normalizer: unknown;
  pre_tokenizer: unknown;
  post_processor: unknown;
  decoder: unknown;
  model: Record<string, unknown>;
  config: Record<string, unknown>;
}

function filesOf(description: Description): TokenizerFiles {
  const { vocabulary, specials, model, config, ...parts } = description;
  const idOf = (token: string): number => {
    const id = vocabulary.get(token);
    if (id === undefined) throw new RangeError(`no token ${token}`);
    return id;
  };
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const addedTokens = specials.map((content) => ({ id: idOf(content), content, ...flags }));
  const named = Object.entries(config).filter(([key]) => key.endsWith('_token'));
  return {
    files: {
      'tokenizer.json': {
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: addedTokens,
        ...parts,
        model: { ...model, vocab: Object.fromEntries(vocabulary) },
      },
      'tokenizer_config.json': config,
      'special_tokens_map.json': Object.fromEntries(named),
    },
    vocab_size: vocabulary.size,
    idOf,
    words: WORDS.flatMap((word) => vocabulary.get(`Ġ${word}`) ?? []),
  };
}

const BYTE_LEVEL = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };

const template = (before: readonly string[], after: readonly string[], vocabulary: Vocabulary) => {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const all = [...before, ...after];
  return {
    type: 'TemplateProcessing',
    single: [...before.map(special), sequence('A'), ...after.map(special)],
    pair: [...before.map(special), sequence('A'), ...after.map(special), sequence('B'), ...after.map(special)],
    special_tokens: Object.fromEntries(all.map((id) => [id, { id, ids: [vocabulary.get(id) ?? 0], tokens: [id] }])),
  };
};

const bpe = (merges: readonly [string, string][], extra: Record<string, unknown> = {}) => ({
  type: 'BPE',
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: '',
  end_of_word_suffix: '',
  fuse_unk: false,
  ...extra,
  merges: merges.map((pair) => pair.join(' ')),
});

/** Tokenizer in CLIP's layout: lower case, byte-level BPE, and `</w>` at the end of a word's last token. */
export function clipTokenizer(): TokenizerFiles {
  const bytes = byteCharacters();
  const vocabulary = vocabularyOf([...bytes, ...bytes.map((character) => `${character}</w>`)]);
  const merges = learnMerges(
    WORDS.map((word) => [...word.slice(0, -1), `${word.at(-1)}</w>`]),
    vocabulary,
  );
  const [start, end] = ['<|startoftext|>', '<|endoftext|>'];
  // The special tokens get the highest ids, as in CLIP, whose text encoder finds the end of a text by the highest id.
  for (const special of [start, end]) vocabulary.set(special, vocabulary.size);
  const pattern =
    "<\\|startoftext\\|>|<\\|endoftext\\|>|'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+";
  return filesOf({
    vocabulary,
    specials: [start, end],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFC' },
        { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
        { type: 'Lowercase' },
      ],
    },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: pattern }, behavior: 'Removed', invert: true },
        { ...BYTE_LEVEL },
      ],
    },
    post_processor: template([start], [end], vocabulary),
    decoder: { ...BYTE_LEVEL },
    model: bpe(merges, { end_of_word_suffix: '</w>', unk_token: end }),
    config: {
      tokenizer_class: 'CLIPTokenizer',
      model_max_length: 77,
      bos_token: start,
      eos_token: end,
      unk_token: end,
      pad_token: end,
      do_lower_case: true,
    },
  });
}

/**
 * Tokenizer in SigLIP 2's (Gemma's) layout: spaces are separate characters, texts end in `<eos>`, unknown characters fall back to bytes.
 */
export function siglipTokenizer(): TokenizerFiles {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?'-", '▁'];
  const specials = ['<pad>', '<eos>', '<bos>', '<unk>'];
  const vocabulary = vocabularyOf([...specials, ...bytes, ...letters]);
  const merges = learnMerges(
    WORDS.flatMap((word) => [[...word], ['▁', ...word]]),
    vocabulary,
  );
  return filesOf({
    vocabulary,
    specials,
    normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithPrevious', invert: false },
    post_processor: template([], ['<eos>'], vocabulary),
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
      ],
    },
    model: bpe(merges, { unk_token: '<unk>', fuse_unk: true, byte_fallback: true }),
    config: {
      tokenizer_class: 'GemmaTokenizer',
      model_max_length: 64,
      padding_side: 'right',
      bos_token: '<bos>',
      eos_token: '<eos>',
      pad_token: '<pad>',
      unk_token: '<unk>',
    },
  });
}

/** Tokenizer in BERT's layout: lower case, whole words or subwords that continue with `##`. */
export function bertTokenizer(): TokenizerFiles {
  const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  const vocabulary = vocabularyOf([...specials, ...'.,!?-', ...letters, ...letters.map((l) => `##${l}`), ...WORDS]);
  return filesOf({
    vocabulary,
    specials,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: template(['[CLS]'], ['[SEP]'], vocabulary),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    config: {
      tokenizer_class: 'BertTokenizer',
      model_max_length: 512,
      do_lower_case: true,
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      mask_token: '[MASK]',
    },
  });
}

/** Byte-level BPE over words with and without a space before them. */
function byteLevel(first: readonly string[], last: readonly string[]) {
  const vocabulary = vocabularyOf([...first, ...byteCharacters()]);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const units = WORDS.flatMap((word) => [[...word], ['Ġ', ...word], [...capital(word)]]);
  const merges = learnMerges(units, vocabulary);
  for (const token of last) vocabulary.set(token, vocabulary.size);
  return { vocabulary, merges };
}

/** Tokenizer in GPT-2's layout: one special token for start, end and padding, none of which is added to texts. */
export function gpt2Tokenizer(): TokenizerFiles {
  const end = '<|endoftext|>';
  const { vocabulary, merges } = byteLevel([], [end]);
  return filesOf({
    vocabulary,
    specials: [end],
    normalizer: null,
    pre_tokenizer: { ...BYTE_LEVEL },
    post_processor: { ...BYTE_LEVEL, trim_offsets: false },
    decoder: { ...BYTE_LEVEL },
    model: bpe(merges),
    config: {
      tokenizer_class: 'GPT2Tokenizer',
      model_max_length: 1024,
      bos_token: end,
      eos_token: end,
      unk_token: end,
    },
  });
}

/** Tokenizer in Florence-2's layout: BART's with additional location tokens. */
export function florence2Tokenizer(): TokenizerFiles {
  const named = ['<s>', '<pad>', '</s>', '<unk>'];
  const places = Array.from({ length: 1000 }, (_, place) => `<loc_${place}>`);
  const { vocabulary, merges } = byteLevel(named, places);
  return filesOf({
    vocabulary,
    specials: [...named, ...places],
    normalizer: null,
    pre_tokenizer: { ...BYTE_LEVEL },
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', 2],
      cls: ['<s>', 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { ...BYTE_LEVEL },
    model: bpe(merges),
    config: {
      tokenizer_class: 'BartTokenizer',
      model_max_length: 1024,
      bos_token: '<s>',
      eos_token: '</s>',
      pad_token: '<pad>',
      unk_token: '<unk>',
    },
  });
}

/** Tokenizer in SmolVLM's layout: a chat template, and tokens that stand for the image. */
export function smolVlmTokenizer(): TokenizerFiles {
  const named = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
  const tiles = Array.from({ length: 16 }, (_, tile) => `<row_${Math.floor(tile / 4) + 1}_col_${(tile % 4) + 1}>`);
  const added = ['<fake_token_around_image>', '<image>', '<global-img>', '<end_of_utterance>', ...tiles];
  const { vocabulary, merges } = byteLevel(named, added);
  return filesOf({
    vocabulary,
    specials: [...named, ...added],
    normalizer: null,
    pre_tokenizer: { ...BYTE_LEVEL },
    post_processor: null,
    decoder: { ...BYTE_LEVEL },
    model: bpe(merges),
    config: {
      tokenizer_class: 'GPT2Tokenizer',
      model_max_length: 8192,
      bos_token: '<|im_start|>',
      eos_token: '<end_of_utterance>',
      pad_token: '<|im_end|>',
      unk_token: '<|endoftext|>',
      chat_template:
        "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:" +
        "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}" +
        '{% endfor %}<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}',
    },
  });
}
