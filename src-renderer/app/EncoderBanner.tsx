import { useMutation } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Arguments } from '../../src-main/contract/contract.ts';
import type { ModelPackage, Recommendation } from '../../src-main/contract/schemas/model.ts';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { useMay } from '../lib/account.ts';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { useDatasets } from '../lib/datasets.ts';
import { formatBytes } from '../lib/format.ts';
import { messageText } from '../lib/message-text.ts';
import { useOperation } from '../lib/use-operation.ts';
import { useRefresh } from '../lib/use-refresh.ts';

type Answer = Arguments<'answer_recommendation'>['answer'];

/** Asks once, beside the first dataset, for the recommended encoder, and shows its download. */
export function EncoderBanner() {
  const { t } = useTranslation();
  const enabled = useMay()('answer_recommendation');
  const { data: datasets } = useDatasets();
  const { data } = useOperation('get_recommendation', {}, { enabled });
  const refresh = useRefresh('get_recommendation', 'list_packages', 'list_encoders');
  const { mutate, isPending, error } = useMutation<Recommendation, ApiError, Answer>({
    mutationFn: (answer) => api.answer_recommendation({ answer }),
    onSettled: refresh,
  });
  const { state, package: files } = data ?? {};
  if (!files || datasets === undefined || datasets.length === 0) return null;
  if (state !== 'ask' && state !== 'downloading' && state !== 'failed') return null;

  const size = formatBytes(files.size_bytes ?? 0);
  const failure = error?.detail ?? (state === 'failed' && files.failure !== null ? messageText(files.failure) : null);
  const text = () => {
    if (failure !== null) return t('encoderOffer.failed', { reason: failure });
    return state === 'downloading'
      ? t('encoderOffer.downloading', { percent: percentOf(files), size })
      : t('encoderOffer.question', { size });
  };
  return (
    <Banner
      role="status"
      testId="encoder-banner"
      icon={<Sparkles size={16} strokeWidth={1.5} aria-hidden="true" />}
      text={text()}
    >
      {state !== 'downloading' && (
        <>
          <Button disabled={isPending} onClick={() => mutate('declined')}>
            {t('encoderOffer.notNow')}
          </Button>
          <Button kind="primary" disabled={isPending} onClick={() => mutate('accepted')}>
            {t(failure === null ? 'encoderOffer.download' : 'encoderOffer.again')}
          </Button>
        </>
      )}
    </Banner>
  );
}

function percentOf({ received_bytes, size_bytes }: ModelPackage): number {
  return size_bytes === null ? 0 : Math.min(100, Math.floor((received_bytes / size_bytes) * 100));
}
