import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import form from '../../components/Form.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { filterName, type PlaceFilter } from '../../lib/filters.ts';
import { ChangeableChip, type FilterChipProps, LeastConfidence } from './ChangeableChip.tsx';

const ONE_NAME = ['is', 'is_not'] as const;
const NAMES = ['one_of', 'is', 'not_one_of'] as const;
const PATTERNS = ['one_of', 'contains', 'starts_with', 'ends_with'] as const;
const SUBJECTS = {
  ...({ labels: 'names', tags: 'names', folders: 'text', files: 'text', captions: 'text' } as const),
  ...({ duplicates: 'share', uniqueness: 'share' } as const),
};

/** How a filter can be changed in its chip: its operator, its operator and text, or its minimum. Undefined for other filters. */
export function changeOf(filter: PlaceFilter): 'names' | 'text' | 'share' | undefined {
  const name = filterName(filter);
  const subject = Object.keys(SUBJECTS).find((one): one is keyof typeof SUBJECTS => one === name);
  // The text of a semantic search is edited in the search field.
  return subject !== undefined && filter[name]?.op !== 'semantic' ? SUBJECTS[subject] : undefined;
}

/** A filter by values or by a minimum, which is changed in a popover. */
export function ValuesChip(props: FilterChipProps) {
  const { t } = useTranslation();
  const { filter } = props;
  const name = filterName(filter);
  const body = filter[name] ?? {};
  const values = [body.value].flat().map(String);
  const kind = changeOf(filter);
  const operators = kind === 'text' ? PATTERNS : values.length === 1 ? ONE_NAME : NAMES;
  const op = operators.find((one) => one === body.op) ?? operators[0];
  const nameOf = (operator: (typeof operators)[number]) =>
    operator === 'is' && values.length > 1
      ? t('labels.modes.all')
      : operator === 'one_of' && kind === 'text'
        ? t('search.operators.is')
        : t(`search.operators.${operator}`);
  return (
    <ChangeableChip {...props} label={t('search.changeFilter')} testId="change-filter">
      {(change) => {
        const set = (next: object) => change({ ...filter, [name]: { ...body, ...next } });
        if (kind === 'share') {
          return (
            <LeastConfidence
              value={Number(body.value)}
              min={name === 'duplicates' ? 0.5 : 0}
              max={name === 'duplicates' ? 1 : 0.95}
              onChange={(value) => set({ value })}
              testId="filter-share"
            />
          );
        }
        return (
          <>
            <Segmented
              label={t('search.changeFilter')}
              value={op}
              options={operators.map((value) => ({ value, label: nameOf(value) }))}
              onChange={(value) => set({ op: value })}
              testId="filter-operator"
            />
            {kind === 'text' && values.length === 1 && (
              <ValueField value={values[0] ?? ''} onChange={(value) => set({ value: [value] })} />
            )}
          </>
        );
      }}
    </ChangeableChip>
  );
}

/** Applies its text on Enter and when the focus leaves it, so that not each letter is a query. */
function ValueField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(value);
  const apply = () => {
    if (text.trim() !== '' && text !== value) onChange(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form className={form.field} onSubmit={submit}>
      <label htmlFor={id}>{t('fields.value')}</label>
      <input
        id={id}
        className={form.input}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        data-testid="filter-value"
      />
    </form>
  );
}
