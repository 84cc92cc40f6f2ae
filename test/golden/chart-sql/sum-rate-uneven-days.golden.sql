SELECT ts AS ts,
  sum(gain_points) AS n0,
  toNullable(toFloat64(sum((gain / greatest(((least(transform(ts, {p1:Array(Int64)}, {p2:Array(Int64)}, ts), 1737194400000) - greatest(ts, 1736935200000)) / 1000), ((latest - earliest) / 1000)))))) AS v0,
  sum(needs_care) AS needs_care,
  sum(took_turns) AS took_turns
FROM (
  SELECT roundDown(at, {p3:Array(Int64)}) AS ts,
    sum((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before))) AS gain,
    count() AS gain_points,
    sum((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before))) AS value,
    min(since) AS earliest,
    max(at) AS latest,
    countIf((NOT (is_delta) AND is_restart)) AS needs_care,
    countIf((takes_turns AND is_monotonic)) AS took_turns
  FROM (
    SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
      (src.`AggregationTemporality` = 1) AS is_delta,
      toUnixTimestamp64Nano(src.`StartTimeUnix`) AS started,
      toUnixTimestamp64Nano(src.`TimeUnix`) AS ended,
      cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
      src.`IsMonotonic` AS is_monotonic,
      ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p4:Int64})) AS counts_in_full,
      src.`Value` AS reading,
      if(((toUnixTimestamp64Nano(src.`TimeUnix`) - lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) < {p5:Int64}), lagInFrame(src.`Value`, 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), if(counts_in_full, 0, reading)) AS reading_before,
      intDiv(if(is_delta, if((((started > toInt64(0)) AND (started < ended)) AND is_delta), started, ended), if((if(((toUnixTimestamp64Nano(src.`TimeUnix`) - lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) < {p5:Int64}), lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), toInt64(0)) > toInt64(0)), if(((toUnixTimestamp64Nano(src.`TimeUnix`) - lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) < {p5:Int64}), lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), toInt64(0)), if((((started > toInt64(0)) AND (started < ended)) AND counts_in_full), started, ended))), 1000000) AS since,
      (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
      (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
    FROM `otel`.`otel_metrics_sum` AS src
    WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')))
      AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p7:Int64}, 'UTC')))
      AND ((src.`MetricName` = {p8:String}))
      AND (isFinite(src.`Value`))
  )
  WHERE ((at >= {p9:Int64}))
  GROUP BY ts, attribute_set
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "[1736899200000,1736982000000,1737072000000]"
-- p2 = "[1736982000000,1737072000000,1737158400000]"
-- p3 = "[1736899200000,1736982000000,1737072000000,1737158400000]"
-- p4 = "600000000000"
-- p5 = "86400000000000"
-- p6 = "1736934600000"
-- p7 = "1737194400000"
-- p8 = "requests"
-- p9 = "1736935200000"
