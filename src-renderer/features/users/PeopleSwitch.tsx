import { useTranslation } from 'react-i18next';
import { Segmented } from '../../components/Segmented.tsx';
import { useMay } from '../../lib/account.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';

type People = 'users' | 'members';

/** Switches between users and workspace members, for those who may see both. */
export function PeopleSwitch({ at }: { at: People }) {
  const { t } = useTranslation();
  const may = useMay();
  if (!may('list_users') || !may('list_members')) return null;
  return (
    <Segmented<People>
      label={t('people.switch')}
      value={at}
      onChange={(to) => navigate(routes[to]())}
      options={[
        { value: 'users', label: t('people.users') },
        { value: 'members', label: t('people.members') },
      ]}
      testId="people-switch"
    />
  );
}
