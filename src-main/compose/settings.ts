import { SettingsAdminService } from '../core/settings/settings-admin.service.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** Composes the service that changes settings, and notifies the parts that do not read their settings on each use. */
export function composeSettings(platform: Platform, { catalogue, announceModels }: Models) {
  const { settings, inference, stores, events, opened, audit, mode } = platform;
  settings.onChange((name) => {
    // Models are reloaded between two batches; running work finishes on its current device.
    if (name === 'MODEL_DEVICE') inference.forgetModels();
    if (name === 'OPEN_DATASETS' || name === 'DATASET_READERS' || name.startsWith('VECTOR_ENGINE')) stores.renew();
    events.emit('settings_changed', { keys: [name] });
  });
  const preparations = {
    MODELS_CATALOGUE: async (path: string) => {
      const use = await catalogue.prepare(path);
      return () => {
        use();
        announceModels();
      };
    },
  };
  return {
    services: { settings: new SettingsAdminService({ settings, opened, audit, onPrem: mode.on_prem, preparations }) },
  };
}
