import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcut } from '../lib/use-shortcut.ts';
import { IconButton } from './IconButton.tsx';
import styles from './ZoomTools.module.css';

interface ZoomToolsProps {
  /** Zoom factor of one press. */
  step: number;
  zoomBy(factor: number): void;
  fitLabel: string;
  onFit(): void;
  /** Whether the keys +, − and 0 do the same. */
  hasKeys?: boolean;
  /** Shown only while the pointer is over the parent or a button has the focus. */
  quiet?: boolean;
  /** Content before, between and after the two zoom buttons. */
  before?: ReactNode;
  scale?: ReactNode;
  after?: ReactNode;
}

/** Zoom buttons in the lower right corner. */
export function ZoomTools(props: ZoomToolsProps) {
  const { step, zoomBy, fitLabel, onFit, hasKeys = true, quiet = false } = props;
  const { t } = useTranslation();
  useShortcut('+', () => zoomBy(step), hasKeys);
  useShortcut('=', () => zoomBy(step), hasKeys);
  useShortcut('-', () => zoomBy(1 / step), hasKeys);
  useShortcut('0', onFit, hasKeys);
  return (
    <div className={styles.tools} data-quiet={quiet}>
      {props.before}
      <IconButton
        side="top"
        label={t('zoom.out')}
        shortcut="−"
        icon={<ZoomOut size={16} />}
        onClick={() => zoomBy(1 / step)}
      />
      {props.scale}
      <IconButton
        side="top"
        label={t('zoom.in')}
        shortcut="+"
        icon={<ZoomIn size={16} />}
        onClick={() => zoomBy(step)}
        data-testid="zoom-in"
      />
      {props.after}
      <IconButton
        side="top"
        label={fitLabel}
        shortcut="0"
        icon={<Maximize size={16} />}
        onClick={onFit}
        data-testid="zoom-fit"
      />
    </div>
  );
}
