import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { Condition } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';

const map: ConditionKind<'map'> = { rows: rowsInside };

export const mapConditions = { map } satisfies ConditionKinds;

/**
 * Returns the rows whose positions are inside a polygon, by counting the sides that a ray from each position crosses (the even-odd rule).
 * @throws AppError `conflict` without a map, or if the area was drawn on another map.
 */
function rowsInside({ map_id, value }: Condition & { name: 'map' }, facts: Facts): RowSet {
  const shown = facts.projections.shown(facts.entity_type);
  if (!shown) throw new AppError('conflict', message('map_missing'));
  if (map_id !== undefined && map_id !== shown.id) {
    throw new AppError('conflict', message('map_outdated'));
  }
  const corners = Float64Array.from(value.flat());
  const n = value.length;
  return RowSet.where(Math.min(facts.count, shown.places.length / 2), (row) => {
    const [x, y] = [shown.places[row * 2] as number, shown.places[row * 2 + 1] as number];
    let isInside = false;
    for (let at = 0, before = n - 1; at < n; before = at, at += 1) {
      const [ax, ay] = [corners[at * 2] as number, corners[at * 2 + 1] as number];
      const [bx, by] = [corners[before * 2] as number, corners[before * 2 + 1] as number];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
    }
    return isInside;
  });
}
