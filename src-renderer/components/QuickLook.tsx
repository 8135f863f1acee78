import { Dialog as Primitive } from 'radix-ui';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { placeOfBox } from '../lib/boxes.ts';
import { itemName } from '../lib/item-name.ts';
import { labelColour } from '../lib/label-colour.ts';
import dialog from './Dialog.module.css';
import { ImageView } from './ImageView.tsx';
import outline from './Outline.module.css';
import styles from './QuickLook.module.css';
import type { QuickLookState } from './use-quick-look.ts';

interface QuickLookProps {
  look: QuickLookState;
  /** Number of tiles. */
  count: number;
  itemAt(index: number): Preview | undefined;
  /** Details beside the name. */
  factsAt?(index: number): ReactNode;
  /** Closes the view when there is nothing to open. */
  onOpen?(index: number): void;
}

/** A large preview of one tile: arrows move to its neighbours, Enter opens, Space or Esc closes. */
export function QuickLook({ look, count, itemAt, factsAt, onOpen = look.close }: QuickLookProps) {
  const { t } = useTranslation();
  const { at } = look;
  if (at === null) return null;
  const item = itemAt(at);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') look.move(-1, count);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowDown') look.move(1, count);
    else if (event.key === 'Enter') onOpen(at);
    else if (event.key === ' ') look.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Primitive.Root open onOpenChange={(next) => !next && look.close()}>
      <Primitive.Portal>
        <Primitive.Overlay className={dialog.scrim} onClick={look.close} />
        <Primitive.Content
          className={styles.look}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          tabIndex={-1}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            look.closed();
          }}
          data-testid="quick-look"
        >
          <div className={styles.stage}>
            {item !== undefined && (
              <>
                <ImageView
                  fileName={item.file_name}
                  originalUri={item.original_uri}
                  thumbUri={item.bounding_box === null ? item.media_thumb_uri : ''}
                  widthPx={item.width}
                  heightPx={item.height}
                />
                {item.bounding_box !== null && (
                  <div className={styles.fitted} style={{ '--ratio': item.width / item.height } as CSSProperties}>
                    <div
                      className={outline.outline}
                      style={{
                        ...placeOfBox(item.bounding_box, item.width, item.height),
                        ...labelColour(item.labels?.[0] ?? ''),
                      }}
                    />
                  </div>
                )}
              </>
            )}
          </div>
          <footer className={styles.caption}>
            <Primitive.Title className={styles.name} title={item?.file_name}>
              {item === undefined ? t('quickLook.title') : itemName(item)}
            </Primitive.Title>
            <span className={styles.facts}>{factsAt?.(at)}</span>
          </footer>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
