import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { isRecord, type JsonFormat, label, objectOf, problem } from './json-format.ts';

const imageShape = z.object({ image: z.string().min(1), annotations: z.array(z.unknown()) });
const objectShape = z.object({
  label,
  coordinates: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});

/** CreateML: a list of images, with boxes around their centres in pixels. */
export const createMl: JsonFormat = {
  name: 'CreateML',
  fits: (document) => Array.isArray(document) && isRecord(document[0]) && isImage(document[0]),
  read: (source, document) =>
    (document as unknown[]).flatMap((image, at): AnnotationItem[] => {
      const line = at + 1;
      const { data } = imageShape.safeParse(isRecord(image) ? { ...image, image: nameOfImage(image) } : image);
      if (!data) return [problem(source, line, message('image_without_filename'))];
      const place = { source, line, file_key: data.image };
      return data.annotations.map((one): AnnotationItem => {
        const found = objectShape.safeParse(one);
        if (!found.success) return problem(source, line, message('shape_incomplete'));
        const { x, y, width, height } = found.data.coordinates;
        return objectOf(place, found.data.label, { x: x - width / 2, y: y - height / 2, width, height });
      });
    }),
};

function isImage(image: Record<string, unknown>): boolean {
  return typeof nameOfImage(image) === 'string' && Array.isArray(image.annotations);
}

function nameOfImage(image: Record<string, unknown>): unknown {
  return image.image ?? image.imagefilename;
}
