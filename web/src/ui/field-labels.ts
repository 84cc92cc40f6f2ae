/** Fields of the API, as the pages call them. Others are called by the words that their name is made of. */
const fieldLabels = new Map(
  Object.entries({
    aggFn: 'Aggregate',
    channels: 'Channels',
    dashboardId: 'Dashboard',
    displayType: 'Display',
    expression: 'Expression',
    field: 'Field',
    groupBy: 'Group by',
    h: 'Height',
    metricDataType: 'Metric type',
    metricName: 'Metric',
    missingData: 'Window without data',
    numConsecutiveWindows: 'Windows in a row',
    numberFormat: 'Unit',
    otherGroup: 'Show the rest as “Other”',
    periodAggFn: 'Change over the bucket',
    recoveryThreshold: 'Recovery threshold',
    repeatInterval: 'Repeat every',
    savedSearchId: 'Saved search',
    scheduleOffsetMinutes: 'Schedule offset (minutes)',
    select: 'Columns',
    source: 'Kind',
    sourceId: 'Source',
    sqlTemplate: 'SQL',
    thresholdMax: 'Upper threshold',
    thresholdType: 'The value is',
    tileId: 'Tile',
    valueExpression: 'Field',
    w: 'Width',
    where: 'Filter',
    whereLanguage: 'Filter language',
    x: 'Column',
    y: 'Row',
  }),
);

/** `Group by`; `Schedule start at` for a name that has no other label. */
export function labelOf(name: string): string {
  const known = fieldLabels.get(name);
  if (known) return known;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
