import { type ChangeEvent, type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import type { QueryValues } from './query-choices.ts';
import { type Suggestion, suggest } from './suggest.ts';

export interface Completion {
  input: RefObject<HTMLTextAreaElement | null>;
  suggestions: readonly Suggestion[];
  /** Index of the suggestion that Enter accepts. */
  active: number;
  choose(at: number): void;
  accept(suggestion: Suggestion): void;
  /** Opens suggestions for the caret. */
  open(): void;
  close(): void;
  onChange(event: ChangeEvent<HTMLTextAreaElement>): void;
  /** Closes the suggestions after the caret has moved. */
  onSelect(): void;
  /** @returns Whether the key was handled. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** Suggestions for a text field: state, keys and insertion. */
export function useCompletion(text: string, onText: (text: string) => void, values: QueryValues): Completion {
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | undefined>(undefined);
  const [chosen, setChosen] = useState(0);
  const suggestions = useMemo(() => (caret === undefined ? [] : suggest(text, caret, values)), [text, caret, values]);
  const active = Math.min(chosen, suggestions.length - 1);
  const openAt = (place: number) => {
    setCaret(place);
    setChosen(0);
  };
  const open = () => {
    if (input.current !== null) openAt(input.current.selectionStart);
  };
  const close = () => setCaret(undefined);
  const accept = ({ start, end, insert, caret: next }: Suggestion) => {
    const area = input.current;
    if (area === null) return;
    area.focus();
    area.setRangeText(insert, start, end);
    area.setSelectionRange(next, next);
    onText(area.value);
    // The next choice is inside the inserted text, not after it.
    if (next < start + insert.length) openAt(next);
    else close();
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setChosen((active + 1) % suggestions.length),
    ArrowUp: () => setChosen((active + suggestions.length - 1) % suggestions.length),
    Enter: () => {
      const suggestion = suggestions[active];
      if (suggestion !== undefined) accept(suggestion);
    },
  };
  return {
    input,
    suggestions,
    active,
    choose: setChosen,
    accept,
    open,
    close,
    onChange: ({ target }) => {
      onText(target.value);
      openAt(target.selectionStart);
    },
    onSelect: () => {
      if (caret !== undefined && input.current?.selectionStart !== caret) close();
    },
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
      if (nativeEvent.isComposing) return false;
      const asks = (ctrlKey && key === ' ') || (altKey && key === 'ArrowDown');
      const action = asks ? open : ctrlKey || metaKey || suggestions.length === 0 ? undefined : keys[key];
      if (action === undefined) return false;
      event.preventDefault();
      action();
      return true;
    },
  };
}
