/** A dashboard of twenty tiles as an operator makes it: two sources, lines, tables, numbers. */
export function dashboardTiles(log: string, trace: string): object[] {
  const duration = { valueExpression: 'LogAttributes.http.duration_ms' };
  const count = (where = '', change: object = {}) => ({ aggFn: 'count', where, ...change });
  const quantile = (level: number, change: object) => ({ aggFn: 'quantile', level, ...change });
  const tile = (displayType: string, sourceId: string, select: object[], change: object = {}) => ({
    config: { displayType, sourceId, select, ...change },
  });
  const byService = { groupBy: 'ServiceName' };
  const span = { valueExpression: 'Duration' };
  const errors = 'SeverityText:error';
  return [
    tile('line', log, [count()]),
    tile('line', log, [count(errors)]),
    tile('line', log, [count(errors), count()], { asRatio: true }),
    tile('line', log, [count(`${errors} ServiceName:checkout`)]),
    tile('line', log, [{ aggFn: 'avg', ...duration }]),
    tile('line', log, [quantile(0.95, duration)]),
    tile('line', log, [quantile(0.5, duration), quantile(0.99, duration)]),
    tile('line', log, [count('LogAttributes.http.status_code:>=500'), count('LogAttributes.http.status_code:<500')]),
    tile('stacked_bar', log, [count()], byService),
    tile('line', log, [{ aggFn: 'avg', ...duration }], byService),
    tile('line', log, [{ aggFn: 'max', ...duration }], byService),
    tile('table', log, [count(), count(errors), quantile(0.95, duration)], byService),
    tile('number', log, [quantile(0.95, duration)]),
    tile('line', trace, [quantile(0.95, span)], byService),
    tile('line', trace, [quantile(0.5, span)], byService),
    tile('line', trace, [{ aggFn: 'avg', ...span }], byService),
    tile('stacked_bar', trace, [count('StatusCode:Error')], byService),
    tile('line', trace, [count('StatusCode:Error'), count()], {
      ...byService,
      formulas: [{ expression: 'A / B * 100', alias: 'error %' }],
    }),
    tile('line', trace, [{ aggFn: 'max', ...span }], byService),
    tile('line', trace, [count()], byService),
  ];
}
