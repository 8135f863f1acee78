import { useTranslation } from 'react-i18next';
import { enModels } from '../../i18n/en-models.ts';

const KNOWN = enModels.models.device;

function isKnown(provider: string): provider is keyof typeof KNOWN {
  return Object.hasOwn(KNOWN, provider);
}

/** Display name of an execution provider. Unknown ones are returned unchanged. */
export function useDeviceName(provider: string | null): string | undefined {
  const { t } = useTranslation();
  if (provider === null) return undefined;
  const key = provider.toLowerCase();
  return isKnown(key) ? t(`models.device.${key}`) : provider;
}
