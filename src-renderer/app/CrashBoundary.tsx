import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { StateMessage } from '../components/StateMessage.tsx';

interface CrashState {
  error: Error | null;
}

/** Shows a message when a screen throws, and keeps the frame. Another address resets it. */
export class CrashBoundary extends Component<{ children: ReactNode; address: string }, CrashState> {
  override state: CrashState = { error: null };

  static getDerivedStateFromError(error: Error): CrashState {
    return { error };
  }

  override componentDidUpdate(previous: { address: string }): void {
    if (previous.address !== this.props.address && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <Crashed error={error} />;
  }
}

/** Reloads the whole page: a chunk that failed to load is not requested again before that. */
function Crashed({ error }: { error: Error }) {
  const { t } = useTranslation();
  return (
    <StateMessage
      tone="bad"
      testId="crashed"
      icon={<CircleAlert size={24} strokeWidth={1.5} />}
      title={t('error.crashTitle')}
      text={t('error.crash')}
      actions={<Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>}
    >
      <code>{error.message}</code>
    </StateMessage>
  );
}
