import { Popover as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './Popover.module.css';

interface PopoverProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Its accessible name. */
  label: string;
  trigger: ReactElement;
  testId?: string;
  /** Padding for text content. */
  wide?: boolean;
  /** Side on which the popover opens. */
  side?: 'right' | 'bottom';
  /** Called on Esc. Closes the popover unless the event is prevented. */
  onEscape?(event: KeyboardEvent): void;
  /** Where the focus goes after opening and closing. Defaults to the content and the trigger. */
  focus?: { onOpenAutoFocus(event: Event): void; onCloseAutoFocus(event: Event): void };
  children: ReactNode;
}

/** A non-modal panel beside its trigger. */
export function Popover(props: PopoverProps) {
  const {
    open,
    onOpenChange,
    label,
    trigger,
    testId,
    wide = false,
    side = 'bottom',
    onEscape,
    focus,
    children,
  } = props;
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.popover}
          side={side}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          data-wide={wide}
          {...focus}
          {...(onEscape === undefined ? {} : { onEscapeKeyDown: onEscape })}
          data-testid={testId}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
