import type { Runner, TextTower } from '../../contract/schemas/model-definition.ts';

/** The side of a model that takes texts, and the length of its vectors; undefined for one that knows only images. */
export function textSideOf(runner: Runner): { tower: TextTower; dim: number } | undefined {
  if (runner.kind === 'zero_shot') return { tower: runner.encoder.text, dim: runner.encoder.dim };
  if (runner.kind === 'sentence_encoder') return { tower: runner, dim: runner.dim };
  if (runner.kind === 'image_encoder' && runner.text !== undefined) return { tower: runner.text, dim: runner.dim };
  return undefined;
}
