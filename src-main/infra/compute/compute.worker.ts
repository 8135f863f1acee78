import { runIndexJob } from '../vectors/index-job.ts';
import type { IndexPayload } from './child-protocol.ts';
import { serveJobs } from './child-runtime.ts';
import { describeCrops } from './describe-crops.ts';
import { describeImages } from './describe-images.ts';

/** The compute process: a named input of the build, and started straight from source under Node. */
serveJobs({
  describe_images: describeImages,
  describe_crops: describeCrops,
  build_index: (payload, { signal, progress }) => {
    const { request, threads } = payload as IndexPayload;
    return runIndexJob({ ...request, threads }, { signal, onProgress: progress });
  },
});
