import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ISSUE_CHOICES } from '../../../src-main/contract/schemas/issues.ts';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import type { PlaceFilter } from '../../lib/filters.ts';
import { useLabels } from '../../lib/labels.ts';
import type { Place } from '../../lib/routes.ts';
import { useTags } from '../../lib/tags.ts';
import { LeastConfidence } from './ChangeableChip.tsx';
import styles from './FilterForm.module.css';
import { type Draft, draftOf, filterOf, inputOf, type Operator, operatorsOf, type Subject } from './filter-draft.ts';

/** Maximum number of labels that are suggested while one is typed. */
const SUGGESTED_LABELS = 500;

interface FilterFormProps {
  datasetId: string;
  type: Place['type'];
  subject: Subject;
  /** The filter to edit; none to add one. */
  filter?: PlaceFilter;
  /** Name of the button. */
  action: string;
  onApply(filter: PlaceFilter): void;
}

/** The operator and the value or bounds of one filter. */
export function FilterForm({ datasetId, type, subject, filter, action, onApply }: FilterFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState(() => draftOf(subject, filter));
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const operators = operatorsOf(subject);
  const next = filterOf(subject, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (next !== undefined) onApply(next);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {operators.length > 1 && (
        <div className={form.field}>
          <label htmlFor={`${id}-op`}>{t('fields.operator')}</label>
          <select
            id={`${id}-op`}
            className={form.input}
            value={draft.op}
            data-testid="field-operator"
            onChange={(event) => set({ op: event.target.value as Operator })}
          >
            {operators.map((op) => (
              <Option key={op} subject={subject} op={op} />
            ))}
          </select>
        </div>
      )}
      <Values id={id} datasetId={datasetId} type={type} subject={subject} draft={draft} set={set} />
      <Button kind="primary" type="submit" disabled={next === undefined} data-testid="field-apply">
        {action}
      </Button>
    </form>
  );
}

function Option({ subject, op }: { subject: Subject; op: Operator }) {
  const { t } = useTranslation();
  const isChoice = subject.field?.field_type === 'enum';
  const name =
    op === 'in' || op === 'out'
      ? t(`issues.modes.${op}`)
      : isChoice && (op === 'is' || op === 'one_of')
        ? t(`fields.optionOps.${op}`)
        : op === 'duplicates' || op === 'uniqueness'
          ? op
          : t(`fields.ops.${op}`);
  return <option value={op}>{name}</option>;
}

interface ValuesProps extends Pick<FilterFormProps, 'datasetId' | 'type' | 'subject'> {
  id: string;
  draft: Draft;
  set(change: Partial<Draft>): void;
}

function Values({ id, datasetId, type, subject, draft, set }: ValuesProps) {
  const { t } = useTranslation();
  const tags = useTags(datasetId);
  const labels = useLabels(datasetId, type, subject.name === 'labels');
  const input = inputOf(subject);
  if (input === 'share') {
    return (
      <LeastConfidence
        value={draft.share}
        min={subject.name === 'duplicates' ? 0.5 : 0}
        max={subject.name === 'duplicates' ? 1 : 0.95}
        onChange={(share) => set({ share })}
        testId="field-share"
      />
    );
  }
  if (input === 'options') {
    return (
      <fieldset className={`${form.field} ${styles.options}`}>
        <legend className="visually-hidden">{t('fields.value')}</legend>
        {(subject.field?.enum_options ?? []).map((option) => (
          <label key={option} className={styles.option} data-testid="field-option">
            <input
              type="checkbox"
              checked={draft.options.includes(option)}
              onChange={({ target }) =>
                set({
                  options: target.checked ? [...draft.options, option] : draft.options.filter((one) => one !== option),
                })
              }
            />
            {option}
          </label>
        ))}
      </fieldset>
    );
  }
  if (input === 'issue' || input === 'tag') {
    const choices =
      input === 'issue'
        ? ISSUE_CHOICES.map((value) => ({ value: String(value), name: t(`issues.names.${value}`) }))
        : [
            ...(tags ?? []).map(({ id: value, name }) => ({ value, name })),
            { value: 'untagged', name: t('facets.untagged') },
          ];
    return (
      <div className={form.field}>
        <label htmlFor={`${id}-value`}>{t('fields.value')}</label>
        <select
          id={`${id}-value`}
          className={form.input}
          value={draft.value}
          data-testid="field-value"
          onChange={(event) => set({ value: event.target.value })}
        >
          <option value="" />
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
    );
  }
  const field = (which: 'value' | 'from' | 'to') => (
    <div className={form.field}>
      <label htmlFor={`${id}-${which}`}>{t(`fields.${which}`)}</label>
      <input
        id={`${id}-${which}`}
        className={form.input}
        type={input}
        {...(input === 'number' && (subject.field === undefined ? { min: 0, step: 1 } : { step: 'any' }))}
        {...(labels !== undefined && { list: `${id}-labels` })}
        value={draft[which]}
        autoComplete="off"
        spellCheck={false}
        data-testid={`field-${which}`}
        onChange={(event) => set({ [which]: event.target.value })}
      />
    </div>
  );
  if (draft.op === 'range') {
    return (
      <>
        {field('from')}
        {field('to')}
      </>
    );
  }
  return (
    <>
      {field('value')}
      {labels !== undefined && (
        <datalist id={`${id}-labels`}>
          {labels.slice(0, SUGGESTED_LABELS).map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}
