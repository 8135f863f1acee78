import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { Key } from '../components/Key.tsx';
import styles from './ShortcutsDialog.module.css';

const GROUPS = [
  {
    title: 'anywhere',
    keys: [
      ['palette', ['Ctrl', 'K']],
      ['newDataset', ['N']],
      ['addMedia', ['A']],
      ['alerts', ['U']],
      ['search', ['/']],
      ['undo', ['Ctrl', 'Z']],
      ['edits', ['Shift', 'Z']],
      ['back', ['Esc']],
      ['help', ['?']],
    ],
  },
  {
    title: 'grids',
    keys: [
      ['move', ['←', '↑', '↓', '→']],
      ['open', ['Enter']],
      ['look', ['Space']],
      ['similar', ['S']],
      ['rename', ['F2']],
      ['select', ['P']],
      ['range', ['Shift', '←', '→']],
      ['lasso', ['Shift', 'drag']],
      ['selectAll', ['Ctrl', 'A']],
      ['tag', ['T']],
      ['label', ['L']],
      ['export', ['E']],
      ['exclude', ['X']],
      ['compare', ['C']],
      ['merge', ['G']],
      ['facets', ['F']],
      ['review', ['R']],
      ['map', ['M']],
      ['charts', ['H']],
      ['table', ['V']],
      ['edges', ['Home', 'End']],
    ],
  },
  {
    title: 'image',
    keys: [
      ['neighbours', ['←', '→']],
      ['zoom', ['+', '−', '0', '1']],
      ['similar', ['S']],
      ['boxes', ['B']],
      ['crop', ['C']],
      ['select', ['P']],
      ['tag', ['T']],
      ['label', ['L']],
      ['export', ['E']],
      ['exclude', ['X']],
      ['details', ['I']],
      ['play', ['V']],
    ],
  },
  {
    title: 'reviewing',
    keys: [
      ['accept', ['A']],
      ['keep', ['K']],
      ['exclude', ['X']],
      ['label', ['L']],
      ['tag', ['T']],
      ['export', ['E']],
      ['skip', ['S']],
      ['undo', ['Z']],
      ['acceptAll', ['Shift', 'A']],
      ['difference', ['D']],
      ['keptCopy', ['←', '→']],
      ['shownCopy', ['↑', '↓']],
    ],
  },
] as const;

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('shortcuts.title')} width={640} testId="shortcuts">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className={styles.groups} tabIndex={0}>
        {GROUPS.map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{t(`shortcuts.${group.title}`)}</h3>
            <dl>
              {group.keys.map(([action, keys]) => (
                <div key={action} className={styles.row}>
                  <dt>{t(`shortcuts.${action}`)}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Key key={key} name={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
