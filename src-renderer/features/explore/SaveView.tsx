import { useMutation } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { queryOf } from '../../lib/explore-source.ts';
import { useThreshold } from '../../lib/granularity.ts';
import { navigate } from '../../lib/location.ts';
import { useNotices } from '../../lib/notices.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useSaveViewRequest } from '../../lib/save-view-request.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { viewQueryOf } from '../../lib/view-place.ts';

const LONGEST_NAME = 255;

/** Saves the current query as a view. */
export function SaveView() {
  const { t } = useTranslation();
  const save = useSaveViewRequest(({ open }) => open);
  return (
    <Button kind="quiet" icon={<Bookmark size={14} />} onClick={save} data-testid="save-view">
      {t('views.save')}
    </Button>
  );
}

/** Asks for the name of a view, on request of any control. */
export function SaveViewOnRequest({ datasetId, place }: { datasetId: string; place: Place }) {
  const { isOpen, close } = useSaveViewRequest();
  useEffect(() => close, [close]);
  return isOpen && <SaveViewDialog datasetId={datasetId} place={place} onClose={close} />;
}

function SaveViewDialog({ datasetId, place, onClose }: { datasetId: string; place: Place; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const threshold = useThreshold(datasetId, place);
  const { data } = useOperation('list_views', { dataset_id: datasetId });
  const refresh = useRefresh('list_views');
  const save = useMutation<View, ApiError>({
    mutationFn: () => api.create_view({ dataset_id: datasetId, name, ...viewQueryOf(place, threshold) }),
    onSuccess: async ({ name: saved }) => {
      refresh();
      onClose();
      const { total } = await api.list_items({ dataset_id: datasetId, ...queryOf(place), page_size: 1 });
      useNotices.getState().show({
        key: `view ${saved}`,
        text: t('views.saved', { name: saved, count: total }),
        action: { label: t('views.all'), run: () => navigate(routes.views(datasetId)) },
        isBrief: true,
      });
    },
  });
  const trimmed = name.trim().normalize();
  const isTaken = data?.views.some((view) => view.name === trimmed) ?? false;
  return (
    <Dialog open onClose={onClose} title={t('views.saveTitle')} width={420} testId="save-view-dialog">
      <Form
        submit={t('views.save')}
        sending={t('views.saving')}
        isPending={save.isPending}
        isComplete={trimmed !== '' && !isTaken}
        onSubmit={() => save.mutate()}
        onCancel={onClose}
        testId="save-view-submit"
      >
        <p className={form.hint}>{t('views.saveText')}</p>
        <TextField
          label={t('views.name')}
          value={name}
          maxLength={LONGEST_NAME}
          error={isTaken ? t('views.nameTaken') : save.error?.detail}
          onChange={(next) => {
            setName(next);
            save.reset();
          }}
          data-autofocus
          testId="view-name"
        />
      </Form>
    </Dialog>
  );
}
