import { Select } from '@mantine/core';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';

const formats: Record<string, NumberFormat> = {
  'Number with thousands separators': { output: 'number', thousandSeparated: true },
  'Percent (0.5 = 50 %)': { output: 'percent', mantissa: 1 },
  'Bytes (IEC)': { output: 'byte', numericUnit: 'bytes_iec' },
  'Duration from seconds': { output: 'duration' },
  'Duration from milliseconds': { output: 'duration', factor: 0.001 },
  'Duration from nanoseconds': { output: 'duration', factor: 1e-9 },
  'Requests per second': { output: 'throughput', numericUnit: 'rps' },
  Dollars: { output: 'currency', currencySymbol: '$', mantissa: 2 },
};

const keyOf = (value: NumberFormat | undefined) =>
  Object.keys(formats).find((key) => JSON.stringify(formats[key]) === JSON.stringify(value));

export interface NumberFormatSelectProps {
  value: NumberFormat | undefined;
  onChange: (value: NumberFormat | undefined) => void;
}

/** The unit of the values. A format that came from elsewhere is kept until another one is chosen. */
export function NumberFormatSelect({ value, onChange }: NumberFormatSelectProps) {
  return (
    <Select
      label="Unit"
      placeholder={value && !keyOf(value) ? `Custom (${value.output})` : 'Plain number'}
      data={Object.keys(formats)}
      value={keyOf(value) ?? null}
      onChange={(key) => onChange(key === null ? undefined : formats[key])}
      clearable
    />
  );
}
