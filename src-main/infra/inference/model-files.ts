import type { Runner } from '../../contract/schemas/model-definition.ts';

/** Files that a model cannot do without, relative to its folder; those of captioners follow from names that their loader knows. */
export function modelFilesOf(runner: Runner): string[] {
  if (runner.kind === 'image_encoder') return [runner.model_file, ...textFilesOf(runner.text)];
  if (runner.kind === 'zero_shot') return modelFilesOf(runner.encoder);
  if (runner.kind === 'classifier' || runner.kind === 'detector') return [runner.model_file, runner.labels_file];
  if (runner.kind === 'sentence_encoder') return textFilesOf(runner);
  return [];
}

function textFilesOf(tower: { model_file: string } | undefined): string[] {
  return tower === undefined ? [] : [tower.model_file, 'tokenizer.json'];
}
