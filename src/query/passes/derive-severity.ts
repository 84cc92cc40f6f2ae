import { mapFields } from '../ast/map-fields.ts';
import type { TextExpr } from '../ast/text-expr.ts';
import type { Scope } from '../schema/scope.ts';

/**
 * Notes where a log's severity by text follows from its number and the other way round, as our collector does when it
 * stores a log. Tables that others write, like the Collector's exporter, hold what was sent: often one of the two.
 */
export function deriveSeverity(expr: TextExpr, { derivesSeverity }: Scope): TextExpr {
  if (!derivesSeverity) return expr;
  return mapFields(expr, (field) => {
    if (field.kind !== 'column') return field;
    if (field.column === severityColumns.text) return { ...field, orElseFrom: severityColumns.number };
    return field.column === severityColumns.number ? { ...field, orElseFrom: severityColumns.text } : field;
  });
}

/** As OpenTelemetry's tables call them. */
export const severityColumns = { text: 'SeverityText', number: 'SeverityNumber' } as const;
