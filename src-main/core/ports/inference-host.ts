import type { HostDescription, InferenceAnswer, InferenceRequest } from '../../contract/schemas/inference.ts';

/** Applies the models of this machine for other machines. It keeps nothing between requests. */
export interface InferenceHost {
  describe(): Promise<HostDescription>;
  /**
   * @param files Contents of the images without a URL, in order.
   * @throws AppError `conflict` for a caller of another version and for models that this host lacks, `unavailable` when a model cannot be
   * loaded; AbortError.
   */
  infer(request: InferenceRequest, files: readonly Uint8Array[], signal: AbortSignal): Promise<InferenceAnswer>;
}
