import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import styles from './NoModels.module.css';

/** Shown when no model is installed: where to get models. */
export function NoModels() {
  const { t } = useTranslation();
  return (
    <section className={styles.none} data-testid="no-models">
      <h2>{t('enrich.noModelsTitle')}</h2>
      <p>{t('enrich.noModels')}</p>
      <Button kind="primary" onClick={() => navigate(routes.models())}>
        {t('enrich.toModels')}
      </Button>
    </section>
  );
}
