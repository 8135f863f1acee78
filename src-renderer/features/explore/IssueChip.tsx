import { useTranslation } from 'react-i18next';
import { type IssueChoice, SURE_OF_ISSUE } from '../../../src-main/contract/schemas/issues.ts';
import { Segmented } from '../../components/Segmented.tsx';
import { ChangeableChip, type FilterChipProps, LeastConfidence } from './ChangeableChip.tsx';

/** An issue filter: with or without the issue, and its minimum confidence. */
export function IssueChip(props: FilterChipProps) {
  const { t } = useTranslation();
  const { filter } = props;
  const { issues = {} } = filter;
  const least = typeof issues.confidence_min === 'number' ? issues.confidence_min : SURE_OF_ISSUE;
  return (
    <ChangeableChip {...props} label={t('issues.change')} testId="issue-chip">
      {(change) => (
        <>
          <Segmented
            label={t('issues.change')}
            value={issues.mode === 'out' ? 'out' : 'in'}
            options={[
              { value: 'in', label: t('issues.modes.in') },
              { value: 'out', label: t('issues.modes.out') },
            ]}
            onChange={(mode) => change({ ...filter, issues: { ...issues, mode } })}
            testId="issue-mode"
          />
          {(issues.value as IssueChoice) !== 'normal' && (
            <LeastConfidence
              value={least}
              min={0.05}
              onChange={(value) => change({ ...filter, issues: { ...issues, confidence_min: value } })}
              testId="issue-sureness"
            />
          )}
        </>
      )}
    </ChangeableChip>
  );
}
