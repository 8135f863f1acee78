import type { PreTrainedTokenizer } from '@huggingface/transformers';

/** Token ids of several texts side by side, row-major, `rows` × `length`; the mask is 0 where a row is padded. */
export interface TokenBatch {
  rows: number;
  length: number;
  input_ids: number[];
  attention_mask: number[];
}

/**
 * Token ids of a text, its special tokens included, at most `max_tokens`.
 *
 * A long text loses its end, never its closing special tokens: CLIP reads its vector off the closing one. (transformers.js cuts after
 * adding them; Python's tokenizers and the training code cut before, as here.)
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

/** How many special tokens stand before the text's own. */
function openingTokens(ids: readonly number[], bare: readonly number[]): number {
  const specials = ids.length - bare.length;
  for (let opening = 0; opening < specials; opening += 1) {
    if (bare.every((id, index) => ids[opening + index] === id)) return opening;
  }
  return specials;
}

/** Pads rows on the tokenizer's side to the longest of them, and to `least` tokens. */
export function layOutTokens(
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
