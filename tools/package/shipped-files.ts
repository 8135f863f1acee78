import type { Target } from './target.ts';

/** Decides whether a file of a package, relative to the package, is needed on a target. */
type Rule = (file: string, target: Target) => boolean;

/** Text for people who develop with a package. Licences ship. */
const FOR_DEVELOPERS =
  /\.(d\.[cm]?ts|[cm]?ts|tsx|map|flow|tsbuildinfo|md|markdown|gypi?|pdb|lib|exp)$|(^|\/)(\.github|\.vscode)\//i;
const LICENCE = /(^|\/)(licen[cs]e|copying|notice|third.?party)/i;
/** Folders at the top of a package that its program does not load. */
const UNUSED_FOLDER = /^(tests?|__tests__|examples?|benchmarks?|bench|docs?|coverage)\//;

/** Files of the packages that carry binaries for every system, or several builds of the same program. */
const RULES: Readonly<Record<string, Rule>> = {
  'onnxruntime-node': (file, { platform, arch }) =>
    // CUDA and TensorRT are 300 MB more where they are installed; a GPU on Linux is an addition of its owner.
    !file.startsWith('script/') &&
    !/providers_(cuda|tensorrt)/.test(file) &&
    (!file.startsWith('bin/') || file.startsWith(`bin/napi-v6/${platform}/${arch}/`)) &&
    // The same library by two names.
    !/libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(file),
  'better-sqlite3': (file, { platform, arch }) =>
    !/^(deps|src)\//.test(file) && (!file.startsWith('prebuilds/') || file === `prebuilds/${platform}-${arch}.node`),
  '@huggingface/transformers': (file) =>
    !file.startsWith('src/') && (!file.startsWith('dist/') || file === 'dist/transformers.node.mjs'),
  '@imagemagick/magick-wasm': (file) => !file.startsWith('dist/x64/'),
  'libheif-js': (file) =>
    !file.startsWith('libheif/') && !/libheif-wasm\/(libheif\.(js|wasm)|libheif-bundle\.mjs)$/.test(file),
  '@techstark/opencv-js': (file) => !file.startsWith('dist/src/'),
  zod: (file) => !file.startsWith('src/'),
  sharp: (file) => !/^(src|install)\//.test(file),
};

/** Whether a file of an installed package ships. @param file Path within the package, with `/`. */
export function isShipped(packageName: string, file: string, target: Target): boolean {
  if (LICENCE.test(file)) return true;
  if (file.startsWith('node_modules/')) return false;
  if (FOR_DEVELOPERS.test(file) || UNUSED_FOLDER.test(file)) return false;
  return RULES[packageName]?.(file, target) ?? true;
}
