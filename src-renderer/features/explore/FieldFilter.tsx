import { ListFilter } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldType, MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { Popover } from '../../components/Popover.tsx';
import { useFields } from '../../lib/fields.ts';
import { toggleFilter } from '../../lib/filters.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import styles from './FieldFilter.module.css';

const OPERATORS = {
  string: ['contains', 'is'],
  link: ['contains', 'is'],
  float: ['gt', 'lt', 'eq', 'range'],
  datetime: ['range'],
  enum: ['is', 'one_of'],
} as const satisfies Record<FieldType, readonly string[]>;
type Operator = (typeof OPERATORS)[FieldType][number];

/** Filters by a custom metadata field. Renders nothing without fields. */
export function FieldFilter({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { data: fields = [] } = useFields(datasetId);
  if (fields.length === 0) return null;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('fields.filterTitle')}
      trigger={
        <Button icon={<ListFilter size={14} />} aria-label={t('fields.filterTitle')} data-testid="field-filter">
          {t('fields.filter')}
        </Button>
      }
      testId="field-popover"
    >
      <FilterForm
        fields={fields}
        onApply={(filter) => {
          setOpen(false);
          navigate(routes.explore(datasetId, { ...place, filters: toggleFilter(place.filters, { metadata: filter }) }));
        }}
      />
    </Popover>
  );
}

interface FilterFormProps {
  fields: readonly MetadataField[];
  onApply(filter: Record<string, unknown>): void;
}

function FilterForm({ fields, onApply }: FilterFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState(fields[0]?.field_name ?? '');
  const [operator, setOperator] = useState<Operator>();
  const [values, setValues] = useState<Record<'value' | 'from' | 'to', string>>({ value: '', from: '', to: '' });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const field = fields.find(({ field_name }) => field_name === name) ?? fields[0];
  if (field === undefined) return null;
  const { field_type, enum_options } = field;
  const operators: readonly Operator[] = OPERATORS[field_type];
  const op = operators.find((one) => one === operator) ?? operators[0] ?? 'is';
  const filter = filterOf(field, op, values, chosen);
  const inputType = { float: 'number', datetime: 'date', string: 'text', link: 'text', enum: 'text' }[field_type];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (filter !== null) onApply(filter);
  };
  const input = (which: 'value' | 'from' | 'to') => (
    <div className={form.field}>
      <label htmlFor={`${id}-${which}`}>{t(`fields.${which}`)}</label>
      <input
        id={`${id}-${which}`}
        className={form.input}
        type={inputType}
        step="any"
        value={values[which]}
        autoComplete="off"
        data-testid={`field-${which}`}
        onChange={(event) => setValues({ ...values, [which]: event.target.value })}
      />
    </div>
  );
  return (
    <form className={form.form} onSubmit={submit}>
      <div className={form.field}>
        <label htmlFor={`${id}-field`}>{t('fields.field')}</label>
        <select
          id={`${id}-field`}
          className={form.input}
          value={field.field_name}
          data-testid="field-choice"
          onChange={(event) => {
            setName(event.target.value);
            setValues({ value: '', from: '', to: '' });
            setChosen([]);
          }}
        >
          {fields.map(({ field_name }) => (
            <option key={field_name} value={field_name}>
              {field_name}
            </option>
          ))}
        </select>
      </div>
      {operators.length > 1 && (
        <div className={form.field}>
          <label htmlFor={`${id}-op`}>{t('fields.operator')}</label>
          <select
            id={`${id}-op`}
            className={form.input}
            value={op}
            data-testid="field-operator"
            onChange={(event) => setOperator(event.target.value as Operator)}
          >
            {operators.map((one) => (
              <option key={one} value={one}>
                {one === 'one_of' || (one === 'is' && field_type === 'enum')
                  ? t(`fields.optionOps.${one}`)
                  : t(`fields.ops.${one}`)}
              </option>
            ))}
          </select>
        </div>
      )}
      {field_type === 'enum' ? (
        <fieldset className={`${form.field} ${styles.options}`}>
          <legend className="visually-hidden">{t('fields.value')}</legend>
          {enum_options.map((option) => (
            <label key={option} className={styles.option} data-testid="field-option">
              <input
                type="checkbox"
                checked={chosen.includes(option)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, option] : chosen.filter((one) => one !== option))
                }
              />
              {option}
            </label>
          ))}
        </fieldset>
      ) : op === 'range' ? (
        <>
          {input('from')}
          {input('to')}
        </>
      ) : (
        input('value')
      )}
      <Button kind="primary" type="submit" disabled={filter === null} data-testid="field-apply">
        {t('fields.apply')}
      </Button>
    </form>
  );
}

/** The body of the filter. null until it is complete. */
function filterOf(
  { field_name: field, field_type }: MetadataField,
  op: Operator,
  { value, from, to }: Record<'value' | 'from' | 'to', string>,
  chosen: readonly string[],
): Record<string, unknown> | null {
  if (field_type === 'enum') return chosen.length === 0 ? null : { field, op, value: chosen };
  if (op === 'range') {
    const lower = from === '' ? {} : { from: field_type === 'float' ? Number(from) : from };
    // A day includes all of its hours.
    const upper = to === '' ? {} : { to: field_type === 'float' ? Number(to) : `${to}T23:59:59.999Z` };
    const isOrdered = from === '' || to === '' || (field_type === 'float' ? Number(from) <= Number(to) : from <= to);
    return (from === '' && to === '') || !isOrdered ? null : { field, op, ...lower, ...upper };
  }
  if (value.trim() === '') return null;
  return { field, op, value: field_type === 'float' ? Number(value) : value };
}
