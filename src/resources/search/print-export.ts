import type { ExportFormat } from '../../contract/export-format.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { SelectItem } from '../sources/select-list.ts';
import { presentEvents } from './present-events.ts';

/** What begins an export: the names of the columns in CSV, nothing in NDJSON. */
export function exportHead(format: ExportFormat, columns: readonly SelectItem[]): string {
  return format === 'csv' ? csvLine(columns.map(({ key }) => key)) : '';
}

/** Some events as lines of an export. */
export function exportLines(format: ExportFormat, result: QueryResult, columns: readonly SelectItem[]): string {
  if (format === 'ndjson') {
    return presentEvents(result, columns)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
  }
  const lines = Array.from({ length: result.rows }, (_, row) => csvLine(result.columns.map((column) => column[row])));
  return lines.join('');
}

/** RFC 4180; null is an empty field, and what is neither text, number nor boolean is JSON. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map((value) => quoted(fieldOf(value))).join(',')}\r\n`;
}

const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** What spreadsheets take for the start of a formula, in full width too. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Anyone who may send telemetry decides what it says, so a text that a spreadsheet would run as a formula gets an
 * apostrophe in front, which makes it text there. Numbers stay as they are.
 */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return typeof value === 'string' && formulaStart.test(text) && !number.test(text) ? `'${text}` : text;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
