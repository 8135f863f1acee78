import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './Menu.module.css';

interface MenuProps {
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles.menu}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onClick={(event) => event.stopPropagation()}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  onSelect(): void;
  'data-testid'?: string;
  children: ReactNode;
}

export function MenuItem({ icon, danger = false, onSelect, children, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={`${styles.item} ${danger ? styles.danger : ''}`} onSelect={onSelect} {...rest}>
      <span className={styles.icon}>{icon}</span>
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className={styles.separator} />;
}

/** The title of the entries that follow. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className={styles.heading}>{children}</DropdownMenu.Label>;
}

interface MenuToggleProps {
  checked: boolean;
  onChange(): void;
  testId?: string;
  children: ReactNode;
}

/** An entry that is on or off. The menu stays open, so that several can be changed. */
export function MenuToggle({ checked, onChange, testId, children }: MenuToggleProps) {
  return (
    <DropdownMenu.CheckboxItem
      className={styles.item}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      data-testid={testId}
    >
      <span className={styles.icon}>
        <DropdownMenu.ItemIndicator>
          <Check size={14} />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className={styles.label}>{children}</span>
    </DropdownMenu.CheckboxItem>
  );
}

interface MenuChoiceProps<T extends string> {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange(value: T): void;
}

/** An option of a group. The current option is ticked. */
export function MenuChoice<T extends string>({ value, options, onChange }: MenuChoiceProps<T>) {
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={choose}>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={styles.item}>
          <span className={styles.icon}>
            <DropdownMenu.ItemIndicator>
              <Check size={14} />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className={styles.label}>{option.label}</span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
