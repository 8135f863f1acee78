import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { openClassifier } from './classifier.ts';
import { openDetector } from './detector.ts';
import { openImageCaptioner } from './image-captioner.ts';
import { openImageEncoder } from './image-encoder.ts';
import { UnfitGraphError } from './image-graph.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import type { LocalModel } from './local-models.ts';
import { modelFilesOf } from './model-files.ts';
import { openZeroShot } from './zero-shot.ts';

/**
 * Loads a model, or reuses a loaded one. @throws AppError `unavailable`, with the model's name and the reason, when it cannot be loaded.
 */
export async function openImageModel(spec: LocalModel, context: OpenContext): Promise<ImageModel> {
  try {
    return await openRunner(spec, context);
  } catch (error) {
    throw await loadFailure(spec, error);
  }
}

function openRunner({ model_id, folder, runner }: LocalModel, context: OpenContext): Promise<ImageModel> {
  if (runner.kind === 'image_encoder') return openImageEncoder(folder, runner, context);
  if (runner.kind === 'classifier') return openClassifier(folder, runner, context);
  if (runner.kind === 'zero_shot') return openZeroShot(folder, runner, context);
  if (runner.kind === 'detector') return openDetector(folder, runner, context);
  if (runner.kind === 'captioner') return openImageCaptioner(folder, runner, context);
  throw new AppError('invalid_request', message('model_without_images', { model: model_id }));
}

/** The error that a user reads when a model cannot be loaded; the runtime's message goes to the log. */
export async function loadFailure(spec: LocalModel, error: unknown): Promise<AppError> {
  if (error instanceof AppError) {
    if (error.code !== 'unavailable') return error;
    return new AppError('unavailable', message('model_unusable', { model: spec.model_id, problem: error.reason }));
  }
  process.stderr.write(`${String(error)}\n`);
  const problem = await problemOf(spec, error);
  return new AppError('unavailable', message('model_not_loaded', { model: spec.model_id, problem }));
}

async function problemOf(spec: LocalModel, error: unknown): Promise<Message> {
  if (error instanceof UnfitGraphError) return error.reason;
  for (const file of modelFilesOf(spec.runner)) {
    const found = await stat(join(spec.folder, file)).catch(() => undefined);
    if (found?.isFile() !== true) return message('model_file_gone', { file: basename(file) });
  }
  return message('model_files_unusable');
}
