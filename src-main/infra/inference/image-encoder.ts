import { message } from '../../contract/messages.ts';
import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import { openGraphModel, outputName } from './graph-model.ts';
import { UnfitGraphError } from './image-graph.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { unitVector } from './unit-vector.ts';

const NOTHING = message('vector_unusable');

/** Opens the image encoder of a model: one L2-normalised vector per image. */
export function openImageEncoder(
  folder: string,
  runner: Omit<RunnerOf<'image_encoder'>, 'text'>,
  context: OpenContext,
): Promise<ImageModel> {
  return openGraphModel(folder, runner, context, (graph) => {
    const name = outputName(graph, runner.output);
    return (outputs) => {
      const values = outputs.get(name)?.values;
      if (values?.length !== runner.dim) {
        throw new UnfitGraphError(message('graph_dim_differs', { found: values?.length ?? 0, expected: runner.dim }));
      }
      const vector = unitVector(values);
      if (!vector.some((value) => value !== 0)) return { kind: 'failed', reason: NOTHING };
      return { kind: 'vector', vector };
    };
  });
}
