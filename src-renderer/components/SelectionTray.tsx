import {
  Columns2,
  Copy,
  Download,
  Eye,
  EyeOff,
  ListChecks,
  Merge,
  RotateCcw,
  Shapes,
  Tag,
  UserCheck,
  X,
} from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsShared } from '../lib/account.ts';
import { useMayOn } from '../lib/datasets.ts';
import { useExportRequest } from '../lib/export-request.ts';
import { useLastEdit } from '../lib/last-edit.ts';
import { navigate } from '../lib/location.ts';
import { MAX_REVIEWED_IDS, reviewOfItems } from '../lib/review.ts';
import { MAX_COMPARED, routes, usePlace } from '../lib/routes.ts';
import { type Target, useSelectable } from '../lib/selectable.ts';
import { type Chosen, countOf, queryOfParts, selectionOf, useChosen, useSelection, WHOLE } from '../lib/selection.ts';
import { useClusterEdits } from '../lib/use-cluster-edits.ts';
import { useEdits } from '../lib/use-edits.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { AssignDialog } from './AssignDialog.tsx';
import { Button } from './Button.tsx';
import { currentTile } from './current-tile.ts';
import { isFocusFree, isPageCovered } from './free-focus.ts';
import { IconButton } from './IconButton.tsx';
import { LabelEditor } from './LabelEditor.tsx';
import { LastEditResult } from './LastEditResult.tsx';
import { SelectionThumbs } from './SelectionThumbs.tsx';
import styles from './SelectionTray.module.css';
import { TagEditor } from './TagEditor.tsx';
import { TrashButton } from './TrashButton.tsx';

/**
 * The selection below every screen of a dataset, with its actions, and the result of the last edit. The keys T, L, E and X apply to the
 * selection; without one, to the focused tile; on the page of an item, to that item.
 */
export function SelectionTray({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const { list, target } = useSelectable();
  const chosen = useChosen(datasetId);
  const { change, clear } = useSelection();
  const edits = useEdits(datasetId);
  // Excluded and restored items leave the list, so the selection of them ends.
  const moves = useEdits(datasetId, clear);
  const may = useMayOn(datasetId);
  /** The item whose tags or labels are edited instead of those of the selection. */
  const [alone, setAlone] = useState<Target | undefined>(undefined);
  const [open, setOpen] = useState<'tag' | 'label' | undefined>(undefined);
  const hasEdit = useLastEdit(({ datasetId: of, edit, error }) => of === datasetId && (edit ?? error) !== undefined);

  const count = countOf(chosen.values());
  const ofAction: readonly Chosen[] = alone === undefined ? [...chosen.values()] : [alone.chosen];
  const selection = selectionOf(ofAction);
  const nOfAction = countOf(ofAction);
  const ids = selectionOf(chosen.values()).flatMap((part) => (part.type === 'media' ? part.payload.media_ids : []));
  const clusterIds = [...chosen.values()].flatMap(({ part }) =>
    part.type === 'cluster' ? [part.payload.cluster_id] : [],
  );
  const areClusters = clusterIds.length > 0 && clusterIds.length === chosen.size && list !== undefined;
  const clusters = useClusterEdits(datasetId, clear);
  const mayMerge = areClusters && clusters.may && clusterIds.length > 1;
  useShortcut('g', () => clusters.edit('merge', clusterIds), mayMerge);
  const assigned = queryOfParts([...chosen.values()], list?.place.type ?? place.type);
  const [isAssigning, setAssigning] = useState(false);
  const hasOthers = useIsShared();
  const hasObjects = [...chosen.values()].some(({ shown }) => shown?.type === 'OBJECT');
  const isComparable = ids.length === count && count >= 2 && count <= MAX_COMPARED && !hasObjects;
  const compare = () => navigate(routes.compare(datasetId, ids, place));
  const isExcluded = list?.isExcluded ?? false;
  const all = () => {
    if (list?.all === undefined) return;
    const whole = list.all;
    change(datasetId, (parts) => {
      parts.clear();
      parts.set(WHOLE, whole);
    });
  };

  /** What a key applies to. */
  const aimed = (): Target | undefined => {
    const one = target?.();
    if (one?.isAlone || count === 0) return one;
    return undefined;
  };
  const isOffered = target !== undefined || list !== undefined;
  const withKey = (act: (parts: typeof selection, of: Target | undefined) => void) => () => {
    const one = aimed();
    if (one === undefined && count === 0) return;
    act(one === undefined ? selectionOf(chosen.values()) : selectionOf([one.chosen]), one);
  };
  const edit = (which: 'tag' | 'label') =>
    withKey((_parts, one) => {
      setAlone(one);
      setOpen(which);
    });
  const exportParts = (parts: typeof selection, n: number) =>
    useExportRequest.getState().open(datasetId, { chosen: { selection: parts, count: n } });
  useShortcut('t', edit('tag'), isOffered && may('edit_tags'));
  useShortcut('l', edit('label'), isOffered && may('edit_labels'));
  useShortcut(
    'x',
    withKey((parts, one) => {
      const act = one === undefined ? moves : edits;
      if (one?.isExcluded ?? isExcluded) act.include(parts);
      else act.exclude(parts);
    }),
    isOffered && may('exclude'),
  );
  useShortcut(
    'e',
    withKey((parts, one) => exportParts(parts, one?.chosen.count ?? count)),
    isOffered && may('export_entities_async'),
  );
  useShortcut('c', compare, isComparable && list !== undefined);
  useShortcut('mod+a', all, list?.all !== undefined);
  useEscape(clear, count > 0 && list !== undefined);
  useFocusBack(count);

  const onOpenChange = (which: 'tag' | 'label') => (isOpen: boolean) => {
    // A click on the button of an editor edits the selection.
    setAlone(undefined);
    setOpen(isOpen ? which : undefined);
  };
  if (count === 0 && alone === undefined && !hasEdit) return null;
  const isShown = count > 0 || alone !== undefined;
  return (
    <div className={styles.tray} role="toolbar" aria-label={t('selection.title')} data-testid="selection-tray">
      {isShown && (
        <>
          <span className={styles.count} data-testid="selected">
            {alone === undefined ? t('selection.count', { count }) : alone.chosen.shown?.file_name}
          </span>
          <SelectionThumbs
            datasetId={datasetId}
            chosen={alone === undefined ? chosen : new Map([['', alone.chosen]])}
          />
          {list?.all !== undefined && !chosen.has(WHOLE) && count > 0 && count < list.all.count && (
            <Button kind="quiet" onClick={all} data-testid="select-all">
              {t('selection.all', { count: list.all.count })}
            </Button>
          )}
          {may('edit_tags') && (
            <TagEditor
              datasetId={datasetId}
              icon={<Tag size={14} />}
              hint="T"
              state={[open === 'tag', onOpenChange('tag')]}
              onEdit={(requested) => edits.tag(selection, requested)}
            />
          )}
          {may('edit_labels') && (
            <LabelEditor
              datasetId={datasetId}
              type={list?.place.type ?? place.type}
              icon={<Shapes size={14} />}
              hint="L"
              state={[open === 'label', onOpenChange('label')]}
              onEdit={(requested) => edits.label(selection, requested)}
            />
          )}
          {!may('exclude') ? null : isExcluded ? (
            <Button
              icon={<RotateCcw size={14} />}
              title={`${t('item.restore')} (X)`}
              onClick={() => moves.include(selection)}
              data-testid="include"
            >
              {t('selection.restore', { count: nOfAction })}
            </Button>
          ) : (
            <Button
              icon={<EyeOff size={14} />}
              title={`${t('item.exclude')} (X)`}
              onClick={() => moves.exclude(selection)}
              data-testid="exclude"
            >
              {t('selection.exclude', { count: nOfAction })}
            </Button>
          )}
          {may('export_entities_async') && (
            <Button
              icon={<Download size={14} />}
              title={`${t('exports.action')} (E)`}
              onClick={() => exportParts(selection, nOfAction)}
              data-testid="export-chosen"
            >
              {t('exports.action')}
            </Button>
          )}
          {isExcluded && alone === undefined && assigned !== undefined && (
            <TrashButton datasetId={datasetId} query={assigned} />
          )}
          {assigned !== undefined && hasOthers && may('assign_items') && (
            <Button
              icon={<UserCheck size={14} />}
              title={t('assign.action')}
              onClick={() => setAssigning(true)}
              data-testid="assign-chosen"
            >
              {t('assign.action')}
            </Button>
          )}
          {isAssigning && assigned !== undefined && (
            <AssignDialog
              datasetId={datasetId}
              title={t('selection.count', { count })}
              query={assigned}
              onClose={() => setAssigning(false)}
            />
          )}
          {ids.length === count && count > 0 && count <= MAX_REVIEWED_IDS && may('decide_review') && (
            <Button
              icon={<ListChecks size={14} />}
              title={t('review.action')}
              onClick={() => navigate(reviewOfItems(datasetId, hasObjects ? 'OBJECTS' : 'IMAGES', ids))}
              data-testid="review-chosen"
            >
              {t('review.action')}
            </Button>
          )}
          {areClusters && clusters.may && (
            <>
              {clusterIds.length > 1 && (
                <Button
                  icon={<Merge size={14} />}
                  title={`${t('cluster.merge')} (G)`}
                  onClick={() => clusters.edit('merge', clusterIds)}
                  data-testid="merge-clusters"
                >
                  {t('cluster.merge')}
                </Button>
              )}
              <Button
                icon={list?.place.hidden ? <Eye size={14} /> : <EyeOff size={14} />}
                title={t(list?.place.hidden ? 'cluster.show' : 'cluster.hide')}
                onClick={() => clusters.edit(list?.place.hidden ? 'show' : 'hide', clusterIds)}
                data-testid="hide-clusters"
              >
                {t(list?.place.hidden ? 'cluster.show' : 'cluster.hide')}
              </Button>
            </>
          )}
          {isComparable && (
            <Button
              icon={<Columns2 size={14} />}
              title={list === undefined ? undefined : `${t('selection.compare')} (C)`}
              onClick={compare}
              data-testid="compare-chosen"
            >
              {t('selection.compare')}
            </Button>
          )}
          {ids.length === count && count > 0 && (
            <Button
              icon={<Copy size={14} />}
              title={t('selection.copy')}
              onClick={() => void navigator.clipboard.writeText(ids.join('\n'))}
              data-testid="copy-ids"
            >
              {t('selection.copy')}
            </Button>
          )}
          <IconButton
            label={t('selection.clear')}
            {...(list === undefined ? {} : { shortcut: 'Esc' })}
            icon={<X size={14} />}
            onClick={clear}
            data-testid="clear-selection"
          />
        </>
      )}
      <LastEditResult datasetId={datasetId} edits={edits} />
    </div>
  );
}

/** Esc clears the selection in lists while no element has the focus. Grids handle it while they have the focus. */
function useEscape(clear: () => void, enabled: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isAtTray = document.activeElement?.closest('[data-testid="selection-tray"]') !== null;
    if (event.key !== 'Escape' || isPageCovered() || !(isFocusFree() || isAtTray)) return;
    event.preventDefault();
    clear();
  });
  useEffect(() => {
    if (!enabled) return;
    // Before the listeners of the page, which leave it on Esc.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, [enabled]);
}

/** Returns the focus to the grid's current tile when the selection is gone together with the button that had the focus. */
function useFocusBack(count: number): void {
  const wasAny = useRef(false);
  useEffect(() => {
    if (count === 0 && wasAny.current && isFocusFree()) currentTile()?.focus();
    wasAny.current = count > 0;
  }, [count]);
}
