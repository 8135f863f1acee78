import type { ProjectionJob } from '../../core/ports/projection.ts';
import type { CopyJob } from '../../core/ports/vectors.ts';
import { checkDevice, listDevices } from '../inference/check-device.ts';
import { encodeTexts } from '../inference/encode-texts.ts';
import { splitEncoder } from '../inference/split-encoder.ts';
import { tagVectors } from '../inference/tag-vectors.ts';
import { tryModel } from '../inference/try-model.ts';
import { beginWarmJob } from '../inference/warm-models.ts';
import { projectRows } from '../projection/project-rows.ts';
import { runCopyJob } from '../vectors/external/copy-job.ts';
import { runIndexJob } from '../vectors/index-job.ts';
import { applyModels } from './apply-models.ts';
import { applyToCrops } from './apply-to-crops.ts';
import type { IndexPayload } from './child-protocol.ts';
import { type JobHandler, serveJobs } from './child-runtime.ts';
import { compareImages } from './compare-images.ts';
import { describeImages } from './describe-images.ts';
import { drawCovers } from './draw-covers.ts';
import { findCandidates } from './find-candidates.ts';

const withModels =
  (handler: JobHandler): JobHandler =>
  (payload, context) => {
    beginWarmJob();
    return handler(payload, context);
  };

/** The compute process: a named input of the build; under Node it starts directly from source. */
serveJobs({
  describe_images: withModels(describeImages),
  apply_models: withModels(applyModels),
  apply_to_crops: withModels(applyToCrops),
  encode_texts: withModels(encodeTexts),
  tag_vectors: withModels(tagVectors),
  try_model: withModels(tryModel),
  split_encoder: splitEncoder,
  draw_covers: drawCovers,
  list_devices: listDevices,
  check_device: checkDevice,
  find_candidates: withModels(findCandidates),
  compare_images: compareImages,
  project: (payload, { signal, turn, progress }) =>
    projectRows(payload as ProjectionJob, { signal, turn, onProgress: progress }),
  copy_vectors: (payload, { signal, progress }) => runCopyJob(payload as CopyJob, { signal, onProgress: progress }),
  build_index: (payload, { signal, progress }) => {
    const { request, threads } = payload as IndexPayload;
    return runIndexJob(request, { threads, signal, onProgress: progress });
  },
});
