import { buildOnnxModel } from './onnx-writer.ts';

/**
 * Inner products of `queries` with `vectors`, and the `k` best of each query: `similarities` and `rows`, best first, equal ones by row.
 * @param entrants Also gives every pair whose product passes the vector's entry of `bars`: `hits` (query, row) and their `hit_scores`.
 */
export function topKGraph({ entrants }: { entrants: boolean }): Uint8Array {
  const more = entrants ? ENTRANTS : { inputs: [], outputs: [], nodes: [] };
  return buildOnnxModel({
    name: 'top-k',
    opset: 17,
    inputs: [
      { name: 'queries', type: 'float32', shape: ['m', 'dim'] },
      { name: 'vectors', type: 'float32', shape: ['n', 'dim'] },
      { name: 'k', type: 'int64', shape: [1] },
      ...more.inputs,
    ],
    outputs: [
      { name: 'similarities', type: 'float32', shape: ['m', 'k'] },
      { name: 'rows', type: 'int32', shape: ['m', 'k'] },
      ...more.outputs,
    ],
    nodes: [
      ...productNodes('queries', 'vectors'),
      { op: 'Cast', inputs: ['places'], outputs: ['rows'], attributes: { to: { int: 6 } } },
      ...more.nodes,
    ],
  });
}

/** The same among some rows of `vectors`: the rows `queries` ask, the rows `members` answer. */
export function topKAmongGraph(): Uint8Array {
  return buildOnnxModel({
    name: 'top-k-among',
    opset: 17,
    inputs: [
      { name: 'vectors', type: 'float32', shape: ['n', 'dim'] },
      { name: 'queries', type: 'int32', shape: ['m'] },
      { name: 'members', type: 'int32', shape: ['s'] },
      { name: 'k', type: 'int64', shape: [1] },
    ],
    outputs: [
      { name: 'similarities', type: 'float32', shape: ['m', 'k'] },
      { name: 'rows', type: 'int32', shape: ['m', 'k'] },
    ],
    nodes: [
      { op: 'Gather', inputs: ['vectors', 'queries'], outputs: ['asking'] },
      { op: 'Gather', inputs: ['vectors', 'members'], outputs: ['answering'] },
      ...productNodes('asking', 'answering'),
      { op: 'Gather', inputs: ['members', 'places'], outputs: ['rows'] },
    ],
  });
}

type Model = Parameters<typeof buildOnnxModel>[0];

function productNodes(asking: string, answering: string): Model['nodes'] {
  return [
    { op: 'Transpose', inputs: [answering], outputs: ['columns'], attributes: { perm: { ints: [1, 0] } } },
    { op: 'MatMul', inputs: [asking, 'columns'], outputs: ['scores'] },
    {
      op: 'TopK',
      inputs: ['scores', 'k'],
      outputs: ['similarities', 'places'],
      attributes: { axis: { int: -1 }, largest: { int: 1 }, sorted: { int: 1 } },
    },
  ];
}

const ENTRANTS: Pick<Model, 'inputs' | 'outputs' | 'nodes'> = {
  inputs: [{ name: 'bars', type: 'float32', shape: ['n'] }],
  outputs: [
    { name: 'hits', type: 'int32', shape: ['h', 2] },
    { name: 'hit_scores', type: 'float32', shape: ['h'] },
  ],
  nodes: [
    { op: 'Greater', inputs: ['scores', 'bars'], outputs: ['enters'] },
    { op: 'NonZero', inputs: ['enters'], outputs: ['entering'] },
    { op: 'Transpose', inputs: ['entering'], outputs: ['pairs'], attributes: { perm: { ints: [1, 0] } } },
    { op: 'GatherND', inputs: ['scores', 'pairs'], outputs: ['hit_scores'] },
    { op: 'Cast', inputs: ['pairs'], outputs: ['hits'], attributes: { to: { int: 6 } } },
  ],
};
