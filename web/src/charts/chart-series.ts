import type { NumberFormat } from '../../../src/contract/number-format.ts';
import type { Point } from './align-series.ts';

/** One line or one part of each bar. */
export interface ChartSeries {
  /** Unlike any other of the chart; legend and hidden ones go by it. */
  key: string;
  name: string;
  color: string;
  points: readonly Point[];
  numberFormat?: NumberFormat | undefined;
  /** Of its line, in pixels: where colours are used again, and for what is there to be compared with. */
  dash?: readonly number[] | undefined;
}

export interface Threshold {
  value: number;
  label: string;
}

/** A stretch of time that is shaded: an alert fired in it. */
export interface ShadedPeriod {
  startMs: number;
  endMs: number;
  label: string;
}
