import {
  buildOnnxModel,
  type OnnxAttribute,
  type OnnxInitializer,
  type OnnxNode,
  type OnnxValue,
} from '../../../tools/graphs/onnx-writer.ts';
import { seeded } from '../images.ts';

interface Shared {
  initializers: OnnxInitializer[];
  random: () => number;
  names: number;
}

/** Builds an ONNX graph node by node. Every method returns the name of the tensor that it created. Weights come from a seed. */
export class GraphBuilder {
  readonly nodes: OnnxNode[] = [];
  readonly #shared: Shared;

  constructor(seed: number, shared?: Shared) {
    this.#shared = shared ?? { initializers: [], random: seeded(seed), names: 0 };
  }

  /** Adds an operator with one output. */
  op(op: string, inputs: readonly string[], attributes: Record<string, OnnxAttribute> = {}): string {
    return this.ops(op, inputs, [this.#name(op)], attributes)[0] ?? '';
  }

  ops(
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Record<string, OnnxAttribute> = {},
  ) {
    this.nodes.push({ op, inputs, outputs, attributes });
    return outputs;
  }

  /** Gives a tensor the name of a graph output. */
  output(name: string, value: string): void {
    this.ops('Identity', [value], [name]);
  }

  /** Adds random weights, uniform with the given standard deviation. */
  weight(dims: readonly number[], deviation: number): string {
    const size = dims.reduce((product, dim) => product * dim, 1);
    const width = deviation * Math.sqrt(12);
    return this.floats(
      dims,
      Array.from({ length: size }, () => (this.#shared.random() - 0.5) * width),
    );
  }

  floats(dims: readonly number[], data: readonly number[]): string {
    return this.#initializer({ name: this.#name('w'), type: 'float32', dims, data });
  }

  scalar(value: number): string {
    return this.floats([], [value]);
  }

  ints(data: readonly number[]): string {
    return this.#initializer({ name: this.#name('i'), type: 'int64', dims: [data.length], data });
  }

  int(value: number): string {
    return this.#initializer({ name: this.#name('i'), type: 'int64', dims: [], data: [value] });
  }

  /** `If`: both branches build the same outputs, of float32, and may use all tensors that were created before. */
  either(
    condition: string,
    outputs: readonly { name: string; shape: readonly (number | string)[] }[],
    whenTrue: (branch: GraphBuilder) => readonly string[],
    whenFalse: (branch: GraphBuilder) => readonly string[],
  ): void {
    const branch = (label: string, build: (branch: GraphBuilder) => readonly string[]): OnnxAttribute => {
      const inner = new GraphBuilder(0, this.#shared);
      const made = build(inner);
      const promised = outputs.map(({ shape }): OnnxValue => ({ name: this.#name(label), type: 'float32', shape }));
      promised.forEach(({ name }, index) => {
        inner.output(name, made[index] ?? '');
      });
      return { graph: { name: label, inputs: [], outputs: promised, nodes: inner.nodes } };
    };
    this.ops(
      'If',
      [condition],
      outputs.map(({ name }) => name),
      { then_branch: branch('cached', whenTrue), else_branch: branch('fresh', whenFalse) },
    );
  }

  model(name: string, inputs: readonly OnnxValue[], outputs: readonly OnnxValue[]): Uint8Array {
    const { initializers } = this.#shared;
    return buildOnnxModel({ name, opset: 17, inputs, outputs, initializers, nodes: this.nodes });
  }

  #initializer(initializer: OnnxInitializer): string {
    this.#shared.initializers.push(initializer);
    return initializer.name;
  }

  #name(kind: string): string {
    this.#shared.names += 1;
    return `${kind}_${this.#shared.names}`;
  }
}

export const float = (name: string, shape: readonly (number | string)[]): OnnxValue => ({
  name,
  type: 'float32',
  shape,
});
export const int64 = (name: string, shape: readonly (number | string)[]): OnnxValue => ({ name, type: 'int64', shape });
export const bool = (name: string, shape: readonly (number | string)[]): OnnxValue => ({ name, type: 'bool', shape });
