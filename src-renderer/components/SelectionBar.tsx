import { Columns2, Copy, Download, EyeOff, RotateCcw, Shapes, Tag, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayOn } from '../lib/datasets.ts';
import { queryOf } from '../lib/explore-source.ts';
import { useExportRequest } from '../lib/export-request.ts';
import { filterName } from '../lib/filters.ts';
import { navigate } from '../lib/location.ts';
import { MAX_COMPARED, type Place, routes } from '../lib/routes.ts';
import { type Part, selectionOf, useChosen, useSelection } from '../lib/selection.ts';
import { useEdits } from '../lib/use-edits.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { Button } from './Button.tsx';
import { EditDone } from './EditDone.tsx';
import { IconButton } from './IconButton.tsx';
import { LabelEditor } from './LabelEditor.tsx';
import styles from './SelectionBar.module.css';
import { TagEditor } from './TagEditor.tsx';

interface SelectionBarProps {
  datasetId: string;
  place: Place;
  /** Number of items or objects in the list. */
  total: number | undefined;
  /** Selection of the whole list. Defaults to the query of the place. */
  all?: Part;
}

/** Actions for the selection. After an edit without a selection: its result with Undo. */
export function SelectionBar({ datasetId, place, total, all: listed }: SelectionBarProps) {
  const { t } = useTranslation();
  const chosen = useChosen(datasetId);
  const { change, clear } = useSelection();
  const edits = useEdits(datasetId, clear);
  const may = useMayOn(datasetId);
  const count = [...chosen.values()].reduce((sum, one) => sum + one.count, 0);
  const selection = selectionOf(chosen);
  const ids = selection.flatMap((part) => (part.type === 'media' ? part.payload.media_ids : []));
  const showsExcluded = place.filters.some((filter) => filterName(filter) === 'excluded');
  const all = () =>
    change(datasetId, (parts) => {
      parts.clear();
      const part: Part = listed ?? { type: 'query', payload: queryOf(place) };
      parts.set('query', { part, count: total ?? 0 });
    });
  const isComparable = ids.length === count && count >= 2 && count <= MAX_COMPARED && place.type !== 'OBJECTS';
  const compare = () => navigate(routes.compare(datasetId, ids, place));
  useShortcut('c', compare, isComparable);
  useShortcut('mod+a', all, total !== undefined && total > 0);

  const wasAny = useRef(false);
  useEffect(() => {
    if (count === 0 && wasAny.current) focusGrid();
    wasAny.current = count > 0;
  }, [count]);

  if (count === 0) return <EditDone edits={edits} />;
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={t('selection.title')}
      data-testid="selection-bar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        clear();
      }}
    >
      <span className={styles.count} data-testid="selected">
        {t('selection.count', { count })}
      </span>
      {total !== undefined && !chosen.has('query') && count < total && (
        <Button kind="quiet" onClick={all} data-testid="select-all">
          {t('selection.all', { count: total })}
        </Button>
      )}
      {may('edit_tags') && (
        <TagEditor datasetId={datasetId} icon={<Tag size={14} />} onEdit={(edit) => edits.tag(selection, edit)} />
      )}
      {may('edit_labels') && (
        <LabelEditor
          datasetId={datasetId}
          type={place.type}
          icon={<Shapes size={14} />}
          onEdit={(edit) => edits.label(selection, edit)}
        />
      )}
      {!may('exclude') ? null : showsExcluded ? (
        <Button icon={<RotateCcw size={14} />} onClick={() => edits.include(selection)} data-testid="include">
          {t('selection.restore', { count })}
        </Button>
      ) : (
        <Button icon={<EyeOff size={14} />} onClick={() => edits.exclude(selection)} data-testid="exclude">
          {t('selection.exclude', { count })}
        </Button>
      )}
      {may('export_entities_async') && (
        <Button
          icon={<Download size={14} />}
          onClick={() => useExportRequest.getState().open(datasetId, { chosen: { selection, count } })}
          data-testid="export-chosen"
        >
          {t('exports.action')}
        </Button>
      )}
      {isComparable && (
        <Button
          icon={<Columns2 size={14} />}
          title={`${t('selection.compare')} (C)`}
          onClick={compare}
          data-testid="compare-chosen"
        >
          {t('selection.compare')}
        </Button>
      )}
      {ids.length === count && (
        <Button
          icon={<Copy size={14} />}
          onClick={() => void navigator.clipboard.writeText(ids.join('\n'))}
          data-testid="copy-ids"
        >
          {t('selection.copy')}
        </Button>
      )}
      {edits.error !== null && (
        <span className={styles.error} role="alert">
          {edits.error.detail}
        </span>
      )}
      <IconButton
        label={t('selection.clear')}
        shortcut="Esc"
        icon={<X size={14} />}
        onClick={clear}
        data-testid="clear-selection"
      />
    </div>
  );
}

/** Returns the focus to the grid's current tile after the button that had it was removed. */
function focusGrid(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
}
