import type { PreTrainedTokenizer } from '@huggingface/transformers';

/** Token ids of several texts, row-major, `rows` × `length`; the mask is 0 where a row is padded. */
export interface TokenBatch {
  rows: number;
  length: number;
  input_ids: number[];
  attention_mask: number[];
}

/**
 * Token ids of a text, its special tokens included, at most `max_tokens`.
 *
 * A long text is truncated before its closing special tokens, because CLIP takes its vector from the closing token. transformers.js truncates
 * after adding them; Python's tokenizers and the training code truncate before, as here.
 */
export function tokenIdsOf(tokenizer: PreTrainedTokenizer, text: string, maxTokens: number): number[] {
  const ids = tokenizer.encode(text);
  if (ids.length <= maxTokens) return ids;
  const bare = tokenizer.encode(text, { add_special_tokens: false });
  const closing = ids.length - openingTokens(ids, bare) - bare.length;
  return closing === 0
    ? ids.slice(0, maxTokens)
    : [...ids.slice(0, Math.max(0, maxTokens - closing)), ...ids.slice(-closing)].slice(-maxTokens);
}

/** Number of special tokens before those of the text. */
function openingTokens(ids: readonly number[], bare: readonly number[]): number {
  const specials = ids.length - bare.length;
  for (let opening = 0; opening < specials; opening += 1) {
    if (bare.every((id, index) => ids[opening + index] === id)) return opening;
  }
  return specials;
}

/** Pads rows to the longest of them, and to at least `least` tokens, on the side that the tokenizer pads. */
export function batchTokens(
  rows: readonly (readonly number[])[],
  least: number,
  tokenizer: PreTrainedTokenizer,
): TokenBatch {
  const length = rows.reduce((most, row) => Math.max(most, row.length), least);
  const pad = tokenizer.pad_token_id ?? 0;
  const onRight = tokenizer.padding_side === 'right';
  const inputIds: number[] = [];
  const attentionMask: number[] = [];
  for (const row of rows) {
    const padding = new Array<number>(length - row.length);
    const [ids, mask] = [padding.slice().fill(pad), padding.slice().fill(0)];
    const ones = new Array<number>(row.length).fill(1);
    inputIds.push(...(onRight ? [...row, ...ids] : [...ids, ...row]));
    attentionMask.push(...(onRight ? [...ones, ...mask] : [...mask, ...ones]));
  }
  return { rows: rows.length, length, input_ids: inputIds, attention_mask: attentionMask };
}
