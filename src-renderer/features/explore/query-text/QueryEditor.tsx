import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../lib/format.ts';
import type { QueryFault } from './check-query.ts';
import styles from './QueryEditor.module.css';
import type { Completion } from './use-completion.ts';

interface QueryEditorProps {
  id: string;
  text: string;
  fault: QueryFault | undefined;
  completion: Completion;
  onSubmit(): void;
}

/** A text field that underlines errors and lists suggestions for the caret. */
export function QueryEditor({ id, text, fault, completion, onSubmit }: QueryEditorProps) {
  const { t } = useTranslation();
  const marks = useRef<HTMLPreElement>(null);
  const { input, suggestions, active } = completion;
  const [listId, faultId] = [`${id}-suggestions`, `${id}-fault`];
  const isListed = suggestions.length > 0;
  return (
    <>
      <div className={styles.editor}>
        {/* A copy of the text below the field, in which errors can be marked. */}
        <pre ref={marks} className={styles.marks} aria-hidden="true">
          {text.slice(0, fault?.start ?? text.length)}
          {fault !== undefined && <mark className={styles.mark}>{text.slice(fault.start, fault.end)}</mark>}
          {fault !== undefined && text.slice(fault.end)}
          {'\n'}
        </pre>
        <textarea
          ref={input}
          id={id}
          className={styles.text}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-invalid={fault !== undefined}
          aria-autocomplete="list"
          aria-controls={isListed ? listId : undefined}
          aria-activedescendant={isListed ? `${listId}-${active}` : undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          data-testid={id}
          onChange={completion.onChange}
          onSelect={completion.onSelect}
          onFocus={({ target }) => {
            if (target.value !== '[]') return;
            target.setSelectionRange(1, 1);
            completion.open();
          }}
          onBlur={completion.close}
          onScroll={({ currentTarget }) => {
            if (marks.current !== null) marks.current.scrollTop = currentTarget.scrollTop;
          }}
          onKeyDown={(event) => {
            if (completion.onKeyDown(event)) return;
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSubmit();
          }}
        />
      </div>
      {isListed && (
        <div id={listId} className={styles.list} role="listbox" aria-label={t('queryText.suggestions')}>
          {suggestions.map((suggestion, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field
            <div
              key={suggestion.insert}
              id={`${listId}-${at}`}
              className={styles.suggestion}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              data-testid="query-suggestion"
              onMouseMove={() => completion.choose(at)}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => completion.accept(suggestion)}
            >
              <span className={styles.name}>{suggestion.text}</span>
              {suggestion.count !== undefined && <span className={styles.count}>{formatCount(suggestion.count)}</span>}
            </div>
          ))}
        </div>
      )}
      {fault !== undefined && (
        <button
          type="button"
          id={faultId}
          className={styles.fault}
          title={t('queryText.showPosition')}
          data-testid="query-fault"
          onClick={() => {
            input.current?.focus();
            input.current?.setSelectionRange(fault.start, fault.end);
          }}
        >
          {fault.detail ?? t('queryText.notJson', { at: fault.start + 1 })}
        </button>
      )}
    </>
  );
}
