SELECT ts AS ts,
  sum(points) AS n0,
  toNullable(toFloat64(max(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
FROM (
  SELECT ts AS ts,
    attribute_set AS attribute_set,
    sum(if(is_delta, reading, if(is_first, if(starts_inside, reading, 0), if(((reading >= reading_before) OR NOT (is_monotonic)), (reading - reading_before), reading)))) AS value,
    count() AS points,
    max(at) AS newest
  FROM (
    SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
      cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
      toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
      (src.`AggregationTemporality` = 1) AS is_delta,
      (count() OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) = 1) AS is_first,
      ((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000)) AS starts_inside,
      src.`IsMonotonic` AS is_monotonic,
      src.`Value` AS reading,
      lagInFrame(src.`Value`) OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS reading_before
    FROM `otel`.`otel_metrics_sum` AS src
    WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
      AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
      AND ((toDateTime(src.`TimeUnix`) >= toDateTime({p3:UInt32}, 'UTC')))
      AND ((toDateTime(src.`TimeUnix`) <= toDateTime({p4:UInt32}, 'UTC')))
      AND ((src.`MetricName` = {p5:String}))
      AND (isFinite(src.`Value`))
  )
  WHERE ((at >= {p6:Int64}))
  GROUP BY ts, attribute_set
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "1736941800"
-- p4 = "1736945999"
-- p5 = "requests"
-- p6 = "1736942400000"
