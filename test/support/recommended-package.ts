import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from './model-hub.ts';
import { writeTinyModel } from './tiny-models/generate.ts';
import { JOINT_ENCODER } from './tiny-models/joint-clip.ts';

/** Id of the package and its encoder; its tagger is `colours-tags`. */
export const COLOURS = 'colours';
const REPOSITORY = 'someone/colours';
const GRAPH = 'onnx/model_quantized.onnx';

export interface RecommendedPackage {
  /** Folder with the files of the package. */
  folder: string;
  /** Path of a catalogue that recommends the package. */
  catalogue: string;
  /** Contents by their paths on a hub. */
  onHub: Record<string, Buffer>;
  /** Contents by their paths on a mirror. */
  onMirror: Record<string, Buffer>;
  /** Path of the graph on a hub. */
  graph: string;
}

/** Writes a stand-in that knows colours, in one graph for images and texts, and a catalogue that recommends it. */
export function recommendedPackage(root: string): RecommendedPackage {
  const folder = writeTinyModel(root, 'colour-clip');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  const contents = paths.map((path): [string, Buffer] => [
    path.replaceAll('\\', '/'),
    readFileSync(join(folder, path)),
  ]);
  const files = contents.map(([path, bytes]) => ({ path, size_bytes: bytes.length, sha256: sha256Of(bytes) }));
  const tagger = {
    kind: 'zero_shot',
    encoder: JOINT_ENCODER,
    logit_scale_file: 'logit_scale.json',
    labels: ['flower', 'tree', 'sea', 'sun', 'snow', 'road'],
  };
  const about = { package_id: COLOURS, description: 'Knows colours.' };
  const catalogue = join(root, 'models.json');
  writeFileSync(
    catalogue,
    JSON.stringify({
      packages: [
        {
          id: COLOURS,
          name: 'Colours',
          vendor: 'Nobody',
          licence: 'MIT',
          source: { hub_repository: REPOSITORY, revision: 'r1' },
          files,
          joint_graph: {
            file: GRAPH,
            image_file: JOINT_ENCODER.model_file,
            text_file: JOINT_ENCODER.text.model_file,
            logit_scale_file: tagger.logit_scale_file,
          },
          recommended: true,
        },
      ],
      models: [
        { id: COLOURS, name: 'Colours', type: 'MULTIMODEL_IMAGE_ENCODING', ...about, runner: JOINT_ENCODER },
        { id: `${COLOURS}-tags`, name: 'Colours, tags', type: 'IMAGE_TAGGING', ...about, runner: tagger },
      ],
    }),
  );
  const under = (prefix: string) => Object.fromEntries(contents.map(([path, bytes]) => [`${prefix}/${path}`, bytes]));
  const prefix = `/${REPOSITORY}/resolve/r1`;
  return { folder, catalogue, onHub: under(prefix), onMirror: under(`/${COLOURS}`), graph: `${prefix}/${GRAPH}` };
}
