import type { Runner } from '../../contract/schemas/model-definition.ts';

/** Required files of a model, relative to its folder; captioners have none here, because transformers.js knows their names. */
export function modelFilesOf(runner: Runner): string[] {
  if (runner.kind === 'image_encoder') return [runner.model_file, ...textFilesOf(runner.text)];
  if (runner.kind === 'zero_shot') {
    const { encoder, logit_scale_file } = runner;
    return [...modelFilesOf(encoder), ...(logit_scale_file === undefined ? [] : [logit_scale_file])];
  }
  if (runner.kind === 'classifier' || runner.kind === 'detector') return [runner.model_file, runner.labels_file];
  if (runner.kind === 'sentence_encoder') return textFilesOf(runner);
  return [];
}

function textFilesOf(tower: { model_file: string } | undefined): string[] {
  return tower === undefined ? [] : [tower.model_file, 'tokenizer.json'];
}
