import { SettingsAdminService } from '../core/settings/settings-admin.service.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** How settings are changed, and what has to be told of a change because it does not ask each time. */
export function composeSettings(platform: Platform, { catalogue, announceModels }: Models) {
  const { settings, inference, stores, events, opened, audit, mode } = platform;
  settings.onChange((name) => {
    // Between two batches: what runs ends on the device that it began on.
    if (name === 'MODEL_DEVICE') inference.forgetModels();
    if (name === 'OPEN_DATASETS' || name === 'DATASET_READERS') stores.renew();
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
