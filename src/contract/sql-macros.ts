/** A macro of raw SQL, for completion and documentation. */
export interface SqlMacro {
  name: string;
  /** As they are written behind the name; '' = none. */
  args: string;
  about: string;
}

/** The macros that the SQL of a tile may contain. */
export const sqlMacros: readonly SqlMacro[] = [
  { name: '$__timeFilter', args: '(column)', about: 'The time lies within the range, whose end is excluded.' },
  { name: '$__timeFilter_ms', args: '(column)', about: 'The same as $__timeFilter.' },
  { name: '$__dateFilter', args: '(column)', about: 'The date is one of the days of the range.' },
  { name: '$__dateTimeFilter', args: '(date, time)', about: '$__dateFilter and $__timeFilter together.' },
  { name: '$__dt', args: '(date, time)', about: 'Short for $__dateTimeFilter.' },
  { name: '$__timeInterval', args: '(column)', about: 'The bucket of the chart that the time lies in.' },
  { name: '$__timeInterval_ms', args: '(column)', about: 'The same, as a DateTime64 with milliseconds.' },
  { name: '$__fromTime', args: '', about: 'Start of the range, as a DateTime.' },
  { name: '$__toTime', args: '', about: 'End of the range, as a DateTime.' },
  { name: '$__fromTime_ms', args: '', about: 'Start of the range, as a DateTime64 with milliseconds.' },
  { name: '$__toTime_ms', args: '', about: 'End of the range, as a DateTime64 with milliseconds.' },
  { name: '$__interval_s', args: '', about: 'Width of a bucket in seconds.' },
  { name: '$__filters', args: '', about: 'What the dashboard filters by, and the filter of the source.' },
  {
    name: '$__sourceTable',
    args: '',
    about: 'The table of the source; of metrics that of a type: $__sourceTable(gauge).',
  },
  { name: '$__filter', args: '(expression, $variable)', about: 'The expression is one of the values of the variable.' },
  { name: '$__conditionalAll', args: '(condition, $variable)', about: 'The condition, if the variable has a value.' },
];
