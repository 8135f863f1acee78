import { ListFilter } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { Popover } from '../../components/Popover.tsx';
import { useFields } from '../../lib/fields.ts';
import { hasFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { FilterForm } from './FilterForm.tsx';
import { SUBJECT_NAMES, type Subject } from './filter-draft.ts';

/** Adds a filter of any kind: one list of all of them, then its operator and value. */
export function AddFilter({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('fields.apply')}
      trigger={
        <Button icon={<ListFilter size={14} />} aria-label={t('fields.apply')} data-testid="add-filter">
          {t('fields.filter')}
        </Button>
      }
      testId="filter-popover"
    >
      <Choice datasetId={datasetId} place={place} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function Choice({ datasetId, place, onDone }: { datasetId: string; place: Place; onDone(): void }) {
  const { t } = useTranslation();
  const id = useId();
  const { data: fields = [] } = useFields(datasetId);
  const [key, setKey] = useState<string>(SUBJECT_NAMES[0]);
  const field = fields.find(({ field_name }) => keyOf(field_name) === key);
  const name = SUBJECT_NAMES.find((one) => one === key) ?? SUBJECT_NAMES[0];
  const subject: Subject = field === undefined ? { name } : { name: 'metadata', field };
  return (
    <div className={form.form}>
      <div className={form.field}>
        <label htmlFor={id}>{t('fields.filterBy')}</label>
        <select
          id={id}
          className={form.input}
          value={key}
          data-testid="filter-subject"
          onChange={(event) => setKey(event.target.value)}
        >
          {SUBJECT_NAMES.map((one) => (
            <option key={one} value={one}>
              {t(`search.kinds.${one}`)}
            </option>
          ))}
          {fields.length > 0 && (
            <optgroup label={t('fields.title')}>
              {fields.map(({ field_name }) => (
                <option key={field_name} value={keyOf(field_name)}>
                  {field_name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
      <FilterForm
        key={key}
        datasetId={datasetId}
        type={place.type}
        subject={subject}
        action={t('fields.apply')}
        onApply={(filter) => {
          onDone();
          if (hasFilter(place.filters, filter)) return;
          navigate(routes.explore(datasetId, { ...place, filters: [...place.filters, filter] }));
        }}
      />
    </div>
  );
}

/** Key of a custom field, which may have the name of another filter. */
function keyOf(field: string): string {
  return `field ${field}`;
}
