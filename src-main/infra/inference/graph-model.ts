import { join } from 'node:path';
import { message } from '../../contract/messages.ts';
import type { ImageInput } from '../../contract/schemas/model-definition.ts';
import type { ModelOutput } from '../../core/ports/inference.ts';
import { neededScale, type PreparedImage, preparationKey, prepareImage } from '../images/image-input.ts';
import { type GraphValue, graphKey, type ImageGraph, openImageGraph, UnfitGraphError } from './image-graph.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { warm } from './warm-models.ts';

/** Converts the outputs for one image to a result. */
export type ReadOutputs = (outputs: ReadonlyMap<string, GraphValue>, image: PreparedImage) => ModelOutput;

/** Opens a model with one graph that takes images; `read` is called once with the loaded graph. */
export async function openGraphModel(
  folder: string,
  { model_file, input }: { model_file: string; input: ImageInput },
  { session }: OpenContext,
  read: (graph: ImageGraph) => ReadOutputs,
): Promise<ImageModel> {
  const file = join(folder, model_file);
  const graph = await warm(graphKey(file, input, session), () => openImageGraph(file, input, session));
  const readOutputs = read(graph);
  return {
    get provider() {
      return graph.provider;
    },
    preparation_key: preparationKey(input),
    neededScale: (image) => neededScale(input, image),
    prepare: (working, image) => prepareImage(working, image, input),
    apply: async (batch) => {
      const { rows, ms } = await graph.run(batch);
      const outputs = batch.map((image, row) => readOutputs(rows[row] ?? new Map(), image));
      return { outputs, ms };
    },
  };
}

/**
 * Returns the name of the requested output, or of the graph's first output.
 * @throws UnfitGraphError when the graph has no output of this name.
 */
export function outputName(graph: ImageGraph, name: string | undefined): string {
  const found = name === undefined ? graph.output_names[0] : graph.output_names.find((known) => known === name);
  if (found === undefined) throw new UnfitGraphError(message('graph_output_missing', { name: name ?? '' }));
  return found;
}

/** `exp(x) / Σ exp(x)`, shifted against overflow. */
export function softmax(values: ArrayLike<number>): Float32Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at += 1) highest = Math.max(highest, values[at] ?? highest);
  const powers = Float32Array.from(values, (value) => Math.exp(value - highest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
