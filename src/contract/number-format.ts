import { type Static, Type } from 'typebox';

const outputs = ['currency', 'percent', 'byte', 'time', 'duration', 'number', 'data_rate', 'throughput'] as const;

/** How a number is written in a chart. Units beyond the known ones are kept as sent. */
export const NumberFormatSchema = Type.Object(
  {
    output: Type.Enum(outputs),
    numericUnit: Type.Optional(Type.String({ maxLength: 64 })),
    mantissa: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Digits after the decimal point.' })),
    thousandSeparated: Type.Optional(Type.Boolean()),
    average: Type.Optional(Type.Boolean()),
    decimalBytes: Type.Optional(Type.Boolean()),
    factor: Type.Optional(Type.Number()),
    currencySymbol: Type.Optional(Type.String({ maxLength: 64 })),
    unit: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { title: 'NumberFormat' },
);
export type NumberFormat = Static<typeof NumberFormatSchema>;
