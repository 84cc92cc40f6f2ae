SELECT ts AS ts,
  sum(points) AS n0,
  toNullable(toFloat64(count())) AS v0
FROM (
  SELECT (intDiv(at, 300000) * 300000) AS ts,
    attribute_set AS attribute_set,
    sum((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before))) AS value,
    count() AS points
  FROM (
    SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
      cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
      (src.`AggregationTemporality` = 1) AS is_delta,
      src.`IsMonotonic` AS is_monotonic,
      src.`Value` AS reading,
      lagInFrame(src.`Value`, 1, if(((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000)), 0, src.`Value`)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS reading_before
    FROM `otel`.`otel_metrics_sum` AS src
    WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
      AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
      AND ((src.`MetricName` = {p3:String}))
      AND (isFinite(src.`Value`))
  )
  WHERE ((at >= {p4:Int64}))
  GROUP BY ts, attribute_set
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "requests"
-- p4 = "1736942400000"
