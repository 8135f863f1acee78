import type { PreTrainedModel, Tensor } from '@huggingface/transformers';
import type { Transformers } from './local-transformers.ts';

/**
 * Tokens that a model writes for each row of its inputs, without the prompt and without what follows the end token. Greedy, whatever the
 * model's own configuration says, so that the same image always gets the same words.
 */
export async function generateGreedily(
  library: Transformers,
  model: PreTrainedModel,
  inputs: Record<string, Tensor>,
  maxNewTokens: number,
): Promise<bigint[][]> {
  const ends = new Set(endTokens(model).map(BigInt));
  const promptTokens = model.config.is_encoder_decoder === true ? 1 : (inputs.input_ids?.dims.at(-1) ?? 0);
  const output = (await model.generate({
    ...inputs,
    max_new_tokens: maxNewTokens,
    do_sample: false,
    num_beams: 1,
    stopping_criteria: allEnded(library, promptTokens, ends),
  } as Parameters<PreTrainedModel['generate']>[0])) as Tensor;
  return (output.tolist() as bigint[][]).map((row) => {
    const written = row.slice(promptTokens);
    const end = written.findIndex((id) => ends.has(id));
    return end === -1 ? written : written.slice(0, end);
  });
}

/**
 * Stops when every row has come to its end. transformers.js by itself stops only when all rows end in the same step, so that nearly every
 * batch would run to its longest length.
 */
function allEnded({ StoppingCriteria, StoppingCriteriaList }: Transformers, promptTokens: number, ends: Set<bigint>) {
  class RowsEnded extends StoppingCriteria {
    /** Declared for numbers, called with 64-bit ones. */
    override _call(rows: (number | bigint)[][]): boolean[] {
      return rows.map((row) => row.slice(promptTokens).some((id) => ends.has(BigInt(id))));
    }
  }
  const criteria = new StoppingCriteriaList();
  criteria.push(new RowsEnded());
  return criteria;
}

/** Where captions end: what the model's generation settings say, else its configuration, else that of its language part. */
function endTokens(model: PreTrainedModel): number[] {
  const config = model.config as unknown as Record<string, EndToken & Record<string, unknown>> & EndToken;
  const from: (EndToken | null | undefined)[] = [
    model.generation_config as EndToken | null,
    config,
    config.decoder,
    config.text_config,
  ];
  const found = from.map((settings) => settings?.eos_token_id).find((id) => id !== undefined && id !== null);
  return found === undefined || found === null ? [] : [found].flat();
}

interface EndToken {
  eos_token_id?: number | number[] | null;
}
