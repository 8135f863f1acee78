import type { WireImage, WireOutput } from '../../contract/schemas/inference.ts';
import type { AppliedImage, DescribedBox, ModelOutput } from '../../core/ports/inference.ts';

/** Converts a result to JSON; its position identifies the image. */
export function toWire(applied: AppliedImage): WireImage {
  if (!applied.ok) return { ok: false, kind: applied.kind, reason: applied.reason };
  const { width, height, outputs, boxes } = applied;
  return {
    ok: true,
    width,
    height,
    outputs: outputs.map(outputToWire),
    boxes: boxes.map((ofOutput) =>
      ofOutput.map((box) =>
        box.ok ? { ok: true, thumbnail: base64(box.thumbnail), outputs: box.outputs.map(outputToWire) } : box,
      ),
    ),
  };
}

/** @throws RangeError for a vector that is no list of float32 numbers. */
export function fromWire(key: number, image: WireImage): AppliedImage {
  if (!image.ok) return { key, ...image };
  const { width, height, outputs, boxes } = image;
  return {
    key,
    ok: true,
    width,
    height,
    outputs: outputs.map(outputFromWire),
    boxes: boxes.map((ofOutput) =>
      ofOutput.map(
        (box): DescribedBox =>
          box.ok
            ? { ok: true, thumbnail: Buffer.from(box.thumbnail, 'base64'), outputs: box.outputs.map(outputFromWire) }
            : box,
      ),
    ),
  };
}

function outputToWire(output: ModelOutput): WireOutput {
  if (output.kind !== 'vector') return output;
  const { buffer, byteOffset, byteLength } = output.vector;
  return { kind: 'vector', vector: base64(new Uint8Array(buffer, byteOffset, byteLength)) };
}

function outputFromWire(output: WireOutput): ModelOutput {
  if (output.kind !== 'vector') return output;
  // A copy: typed arrays need an aligned offset.
  return { kind: 'vector', vector: new Float32Array(Uint8Array.from(Buffer.from(output.vector, 'base64')).buffer) };
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
