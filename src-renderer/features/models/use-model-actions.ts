import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Result } from '../../../src-main/contract/contract.ts';
import type { ModelPackage, ModelSettings } from '../../../src-main/contract/schemas/model.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Fetches the installed models again, everywhere they are shown. */
function useModelsChanged() {
  return useRefresh('list_packages', 'list_models', 'get_model_labels');
}

interface PackageActions {
  download: UseMutationResult<ModelPackage, ApiError, void>;
  cancel: UseMutationResult<ModelPackage, ApiError, void>;
  remove: UseMutationResult<unknown, ApiError, void>;
}

/** Actions for the files of one package. */
export function usePackageActions(packageId: string): PackageActions {
  const onSettled = useModelsChanged();
  return {
    download: useMutation<ModelPackage, ApiError, void>({
      mutationFn: () => api.download_package({ package_id: packageId }),
      onSettled,
    }),
    cancel: useMutation<ModelPackage, ApiError, void>({
      mutationFn: () => api.cancel_download({ package_id: packageId }),
      onSettled,
    }),
    remove: useMutation<unknown, ApiError, void>({
      mutationFn: () => api.remove_package({ package_id: packageId }),
      onSettled,
    }),
  };
}

export function useImportModels(): UseMutationResult<Result<'import_models'>, ApiError, string> {
  const onSettled = useModelsChanged();
  return useMutation<Result<'import_models'>, ApiError, string>({
    mutationFn: (path) => api.import_models({ path }),
    onSettled,
  });
}

/** Changes the download sources, or turns downloads off. */
export function useModelSettingsChange(): UseMutationResult<ModelSettings, ApiError, Partial<ModelSettings>> {
  const client = useQueryClient();
  return useMutation<ModelSettings, ApiError, Partial<ModelSettings>>({
    mutationFn: (change) => api.update_model_settings(change),
    onSuccess: (settings) => client.setQueryData(['get_model_settings', {}], settings),
  });
}

/** Edits the labels of a tagging model. null restores the default list. */
export function useLabelsChange(
  modelId: string,
): UseMutationResult<Result<'set_model_labels'>, ApiError, string[] | null> {
  const onSettled = useModelsChanged();
  return useMutation<Result<'set_model_labels'>, ApiError, string[] | null>({
    mutationFn: (labels) => api.set_model_labels({ model_id: modelId, labels }),
    onSettled,
  });
}
