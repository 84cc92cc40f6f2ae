SELECT ts AS ts,
  g0 AS g0,
  sum(points) AS n0,
  toNullable(toFloat64(max(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
FROM (
  SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
    any(src.`ServiceName`) AS g0,
    src.`AttributeSet` AS attribute_set,
    (argMax(src.`Value`, (bitShiftLeft(toInt128(toUnixTimestamp64Nano(src.`TimeUnix`)), 64) + (reinterpretAsInt64(abs(src.`Value`)) * sign(src.`Value`)))) - argMin(src.`Value`, (bitShiftLeft(toInt128(toUnixTimestamp64Nano(src.`TimeUnix`)), 64) + (reinterpretAsInt64(abs(src.`Value`)) * sign(src.`Value`))))) AS value,
    count() AS points
  FROM `otel`.`otel_metrics_gauge` AS src
  WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
    AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`MetricName` = {p3:String}))
    AND (isFinite(src.`Value`))
  GROUP BY ts, attribute_set
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "requests"
