import { mapFields } from '../ast/map-fields.ts';
import type { TextExpr } from '../ast/text-expr.ts';
import { columnType } from '../schema/column-type.ts';
import type { Scope } from '../schema/scope.ts';

/** Notes for each attribute map whether the table has indexed `key=value` items of it (`LogAttributeItems`). */
export function useItemIndex(expr: TextExpr, scope: Scope): TextExpr {
  return mapFields(expr, (field) => {
    if (field.kind !== 'attribute') return field;
    const places = field.places.map((place) => {
      const items = `${place.map.replace(/s$/, '')}Items`;
      const type = scope.table.columns.get(items);
      return type !== undefined && columnType(type).base === 'array' ? { ...place, items } : place;
    });
    return { ...field, places };
  });
}
