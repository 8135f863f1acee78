import { Tooltip as Primitive } from 'radix-ui';
import type { FocusEvent, ReactElement } from 'react';
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
          onEscapeKeyDown={repeat}
        >
          {text}
          {shortcut !== undefined && <Key name={shortcut} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/**
 * Esc closes a tooltip, and is then repeated: a tooltip appears wherever the pointer happens to rest, and must not consume the key of
 * a list or a page.
 */
function repeat(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  event.stopPropagation();
  const again = new KeyboardEvent(event.type, event);
  setTimeout(() => event.target?.dispatchEvent(again));
}

/** Focus without a previous element was returned by a menu or dialog that closed. A tooltip would then consume the next Esc. */
function ignoreReturned(event: FocusEvent): void {
  if (event.relatedTarget === null) event.preventDefault();
}
