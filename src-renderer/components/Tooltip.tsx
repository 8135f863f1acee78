import { Tooltip as Primitive } from 'radix-ui';
import type { FocusEvent, ReactElement } from 'react';
import { closedTooltip } from '../lib/use-shortcut.ts';
import { Key } from './Key.tsx';
import styles from './Tooltip.module.css';

interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  children: ReactElement;
}

export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={ignoreReturned}>
        {children}
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.tooltip}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={(event) => closedTooltip.add(event)}
        >
          {text}
          {shortcut !== undefined && <Key name={shortcut} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Focus without a previous element was returned by a menu or dialog that closed. A tooltip would then consume the next Esc. */
function ignoreReturned(event: FocusEvent): void {
  if (event.relatedTarget === null) event.preventDefault();
}
