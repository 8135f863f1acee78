import { useTranslation } from 'react-i18next';
import { TextField } from './TextField.tsx';

interface CurrentPasswordFieldProps {
  value: string;
  error?: string | undefined;
  onChange(value: string): void;
  testId: string;
}

/** Asks for the current password, which confirms a change of the own account. */
export function CurrentPasswordField(props: CurrentPasswordFieldProps) {
  const { t } = useTranslation();
  return <TextField {...props} label={t('signIn.currentPassword')} type="password" autoComplete="current-password" />;
}
