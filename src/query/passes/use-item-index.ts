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
      if (type === undefined || columnType(type).base !== 'array') return place;
      const isComplete = itemised(scope.table.defaults?.get(items) ?? '') === place.map;
      // New properties precede the spread: after it, they cost a microsecond or more.
      return { items, ...place, ...(isComplete && { itemsAreComplete: true as const }) };
    });
    return { ...field, places };
  });
}

const allItems =
  /^arrayMap\((\w+) -> concat\(\1\.1, '=', \1\.2\), CAST\((\w+), 'Array\(Tuple\(String, String\)\)'\)\)$/;

/** The map whose items an expression makes, as this program's tables and the exporter's write it. */
function itemised(expression: string): string | undefined {
  return allItems.exec(expression)?.[2];
}
