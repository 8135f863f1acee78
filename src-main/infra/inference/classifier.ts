import { message } from '../../contract/messages.ts';
import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import { openGraphModel, outputName, sigmoid, softmax } from './graph-model.ts';
import { UnfitGraphError } from './image-graph.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { readLabelList } from './label-list.ts';
import { strongestLabels } from './strongest-labels.ts';

/** Opens a classifier with its own label list. Classes before `first_class` take part in the softmax but are never returned. */
export async function openClassifier(
  folder: string,
  runner: RunnerOf<'classifier'>,
  context: OpenContext,
): Promise<ImageModel> {
  const labels = await readLabelList(folder, runner.labels_file);
  return openGraphModel(folder, runner, context, (graph) => {
    const name = outputName(graph, runner.output);
    return (outputs) => {
      const values = outputs.get(name)?.values;
      if (values?.length !== labels.length + runner.first_class) {
        const counts = { found: values?.length ?? 0, expected: labels.length + runner.first_class };
        throw new UnfitGraphError(message('graph_classes_differ', counts));
      }
      const confidences = activate(values, runner.activation).subarray(runner.first_class);
      return { kind: 'labels', labels: strongestLabels(labels, confidences, runner) };
    };
  });
}

function activate(values: Float32Array, activation: RunnerOf<'classifier'>['activation']): Float32Array {
  if (activation === 'softmax') return softmax(values);
  return activation === 'sigmoid' ? values.map(sigmoid) : values;
}
