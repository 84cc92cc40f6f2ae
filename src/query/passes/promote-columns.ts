import { mapFields } from '../ast/map-fields.ts';
import type { AttributePlace, TextExpr } from '../ast/text-expr.ts';
import { attributeColumn } from '../schema/attribute-columns.ts';
import type { Scope } from '../schema/scope.ts';

/** Notes which columns hold exactly an attribute, or the number in it, so that its maps need not be read. */
export function promoteColumns(expr: TextExpr, { table }: Scope): TextExpr {
  return mapFields(expr, (field) => {
    if (field.kind !== 'attribute') return field;
    const { key } = field;
    const attribute = { maps: field.places.map(({ map }) => map), key };
    const text = attributeColumn(table, attribute, 'text');
    const number = attributeColumn(table, attribute, 'number');
    const places = field.places.map((place): AttributePlace => {
      const promoted = attributeColumn(table, { maps: [place.map], key }, 'text');
      return promoted === undefined ? place : { promoted, ...place };
    });
    return {
      ...field,
      places,
      ...(text === undefined ? {} : { textColumn: text }),
      ...(number === undefined ? {} : { numberColumn: number }),
    };
  });
}
