import { useTranslation } from 'react-i18next';
import { Segmented } from '../../components/Segmented.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './Agreement.module.css';
import { type BoxAgreement, SAME_BOX_IOU } from './compare-boxes.ts';

const KINDS = ['both', 'annotated', 'predicted'] as const;

interface AgreementProps {
  models: readonly BoxAgreement[];
  nameOf(source: string): string;
}

/** Agreement of predicted with annotated objects, and which of them are shown. */
export function Agreement({ models, nameOf }: AgreementProps) {
  const { t } = useTranslation();
  const { boxesOf, set } = usePreferences();
  return (
    <div className={styles.agreement} data-testid="box-agreement">
      <Segmented
        label={t('item.boxesOf')}
        value={boxesOf}
        options={KINDS.map((value) => ({ value, label: t(`item.boxKinds.${value}`) }))}
        onChange={(value) => set({ boxesOf: value })}
        testId="boxes-of"
      />
      {models.map(({ source, nFound, nAnnotated, nExtra }) => (
        <p key={source} title={t('item.agreementHint', { iou: SAME_BOX_IOU })}>
          <span className={styles.model}>{nameOf(source)}</span>
          <span>
            {t('item.found', { found: nFound, count: nAnnotated })} · {t('item.extra', { count: nExtra })}
          </span>
        </p>
      ))}
    </div>
  );
}
