import type { Warning } from '../../../contract/warning.ts';
import { tookTurnsColumn } from '../../../query/compiled-query.ts';
import { sumOf } from '../reading/careful-runs.ts';
import type { AssembledScan } from './assemble-series.ts';

/** A counter may fall and come back once by chance. */
const turnsSuspect = 2;

/** Warnings about a scan that was answered nevertheless. */
export function warningsOf({ seriesIndexes, result }: AssembledScan): Warning[] {
  if (sumOf(result, tookTurnsColumn) < turnsSuspect) return [];
  const message =
    'the points of one time series go back and forth between several counters with the same start timestamp: senders ' +
    'that cannot be distinguished share one set of attributes, so that every change between them counts as a reset. Give ' +
    'each sender a distinct attribute, such as service.instance.id.';
  return seriesIndexes.map((index) => ({ path: `series.${index}`, message }));
}
