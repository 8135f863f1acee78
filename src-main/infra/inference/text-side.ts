import type { Runner, TextTower } from '../../contract/schemas/model-definition.ts';

/** The text encoder of a model and the length of its vectors; undefined for a model that takes only images. */
export function textSideOf(runner: Runner): { tower: TextTower; dim: number } | undefined {
  if (runner.kind === 'zero_shot') return { tower: runner.encoder.text, dim: runner.encoder.dim };
  if (runner.kind === 'sentence_encoder') return { tower: runner, dim: runner.dim };
  if (runner.kind === 'image_encoder' && runner.text !== undefined) return { tower: runner.text, dim: runner.dim };
  return undefined;
}
