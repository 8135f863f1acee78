import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MAP_COLOURS } from '../../../../src-main/contract/schemas/map.ts';
import { Button } from '../../../components/Button.tsx';
import { Menu, MenuChoice } from '../../../components/Menu.tsx';
import { useFields } from '../../../lib/fields.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes, THRESHOLDS } from '../../../lib/routes.ts';
import styles from './MapLayout.module.css';
import { mapColourOf } from './use-map.ts';

interface MapColourMenuProps {
  datasetId: string;
  place: Place;
  /** The shown cluster level. */
  level: number | null;
}

/** Chooses what the colours of the map mean: clusters of any level, a property of the items, or a custom field. */
export function MapColourMenu({ datasetId, place, level }: MapColourMenuProps) {
  const { t } = useTranslation();
  const { data: fields = [] } = useFields(datasetId);
  const colour = mapColourOf(place);
  const levels = t('explore.level', { returnObjects: true });
  const asValue = (of: string, by?: string) => JSON.stringify(by === undefined ? [of] : [of, by]);
  const options = [
    { value: asValue('cluster'), label: t('map.clustersThatFit') },
    ...THRESHOLDS.map((one) => ({
      value: asValue('cluster', String(one)),
      label: t('map.clustersOf', { level: levels[one] }),
    })),
    ...MAP_COLOURS.flatMap((one) =>
      one === 'cluster' || one === 'field' ? [] : [{ value: asValue(one), label: t(`map.colours.${one}`) }],
    ),
    ...fields
      .filter(({ field_type }) => field_type !== 'link')
      .map(({ field_name }) => ({ value: asValue('field', field_name), label: field_name })),
  ];
  const choose = (value: string) => {
    const [chosen, by] = JSON.parse(value) as [typeof colour, string?];
    navigate(routes.explore(datasetId, { ...place, map: chosen, mapBy: by }));
  };
  const shown =
    colour === 'field'
      ? (place.mapBy ?? '')
      : colour === 'cluster' && level !== null
        ? t('map.clustersOf', { level: levels[level] })
        : t(`map.colours.${colour}`);
  return (
    <Menu
      align="start"
      trigger={
        <Button kind="quiet" className={styles.choice} data-testid="map-colour">
          {t('map.by', { what: shown })} <ChevronDown size={14} />
        </Button>
      }
    >
      <MenuChoice value={asValue(colour, place.mapBy)} options={options} onChange={choose} />
    </Menu>
  );
}
