import type { PreTrainedModel, Tensor } from '@huggingface/transformers';
import type { Transformers } from './local-transformers.ts';

/**
 * Generates tokens for each row of the inputs, without the prompt and without tokens after the end token. Always greedy, whatever the model's
 * configuration says, so that the same image always gets the same caption.
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
 * Stops when every row has ended. transformers.js stops only when all rows end in the same step, so that nearly every batch would run to the
 * maximum length.
 */
function allEnded({ StoppingCriteria, StoppingCriteriaList }: Transformers, promptTokens: number, ends: Set<bigint>) {
  class RowsEnded extends StoppingCriteria {
    /** Declared for numbers, but called with bigints. */
    override _call(rows: (number | bigint)[][]): boolean[] {
      return rows.map((row) => row.slice(promptTokens).some((id) => ends.has(BigInt(id))));
    }
  }
  const criteria = new StoppingCriteriaList();
  criteria.push(new RowsEnded());
  return criteria;
}

/** End tokens from the generation settings, else from the model's configuration, else from that of its language model. */
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
