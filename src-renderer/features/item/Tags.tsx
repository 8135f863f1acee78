import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { Chip } from '../../components/Chip.tsx';
import { TagEditor } from '../../components/TagEditor.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import { chosenItem } from '../../lib/selection.ts';
import type { Edits } from '../../lib/use-edits.ts';
import { DetailsSection } from './DetailsSection.tsx';
import styles from './Tags.module.css';

/** The tags of an image, which can be removed or added. */
export function Tags({ image, edits }: { image: Image; edits: Edits }) {
  const { t } = useTranslation();
  const selection = [chosenItem(image.image_id).part];
  const mayEdit = useMayOn(image.dataset_id)('edit_tags');
  if (!mayEdit && image.user_tags.length === 0) return null;
  return (
    <DetailsSection title={t('item.tags')} testId="item-tags">
      <div className={styles.tags}>
        {image.user_tags.map(({ tag_id, name }) => (
          <Chip
            key={tag_id}
            removeLabel={t('selection.remove', { name })}
            onRemove={mayEdit ? () => edits.tag(selection, { remove: [tag_id] }) : undefined}
            testId="item-tag"
            removeTestId="remove-tag"
          >
            <span className={styles.name}>{name}</span>
          </Chip>
        ))}
        {mayEdit && (
          <TagEditor
            datasetId={image.dataset_id}
            icon={<Plus size={14} />}
            onEdit={(change) => edits.tag(selection, change)}
          />
        )}
      </div>
    </DetailsSection>
  );
}
