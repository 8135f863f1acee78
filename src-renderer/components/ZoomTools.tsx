import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcut } from '../lib/use-shortcut.ts';
import { IconButton } from './IconButton.tsx';
import styles from './ZoomTools.module.css';

interface ZoomToolsProps {
  /** By how much one press zooms. */
  step: number;
  zoomBy(factor: number): void;
  fitLabel: string;
  onFit(): void;
  /** Whether keys do the same: +, − and 0. */
  hasKeys?: boolean;
  /** Seen only while the pointer is over what they belong to, or one of them has the focus. */
  quiet?: boolean;
  /** What stands before zooming, between its two buttons, and after them. */
  before?: ReactNode;
  scale?: ReactNode;
  after?: ReactNode;
}

/** Buttons over the lower right corner of what can be zoomed. */
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
