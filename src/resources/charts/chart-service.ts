import type { ChartRequest } from '../../contract/chart.ts';
import type { ChartDefinition } from './chart-definition.ts';
import type { ChartReader } from './chart-reader.ts';
import type { ChartTable } from './chart-table.ts';
import { fillBuckets } from './fill-buckets.ts';
import { presentChartColumns, presentChartRows } from './present-chart-rows.ts';
import { readChartRequest } from './read-chart-request.ts';

/** Both as JSON text. */
export interface ChartAnswer {
  rows: string;
  meta: string;
}

/** Answers chart queries (seed §Charts; decisions C1 to C10). */
export class ChartService {
  readonly #reader: ChartReader;
  readonly #rowsMax: number;

  /** `rowsMax`: most rows of one answer, filled buckets included. */
  constructor(reader: ChartReader, rowsMax: number) {
    this.#reader = reader;
    this.#rowsMax = rowsMax;
  }

  /** Throws `query_invalid`, `source_not_found`, `query_timeout`, `query_failed`, `engine_unavailable`. */
  async query(tenantId: string, body: ChartRequest, signal: AbortSignal): Promise<ChartAnswer> {
    const definition = readChartRequest(body);
    const reading = await this.#reader.readOne(tenantId, definition, { queryClass: 'interactive', signal });
    const table = this.#filled(reading.table, definition, body.fill);
    const columns = body.seriesReturnType === 'column';
    return {
      rows: columns ? presentChartColumns(table, definition.groupBy) : presentChartRows(table),
      meta: JSON.stringify(reading.meta),
    };
  }

  #filled(table: ChartTable, definition: ChartDefinition, fill: ChartRequest['fill']): ChartTable {
    if (!fill) return table;
    const { range, granularityMs, groupBy } = definition;
    const value = fill === 'zero' ? 0 : null;
    return fillBuckets(table, { range, granularityMs, value, grouped: groupBy.length > 0, rowsMax: this.#rowsMax });
  }
}
