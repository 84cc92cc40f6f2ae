SELECT ts AS ts,
  sum(points) AS n0,
  toNullable(toFloat64((sum(all_added_sum) / sum(all_added_count)))) AS v0
FROM (
  SELECT (intDiv(at, 300000) * 300000) AS ts,
    layout AS layout,
    sumForEachIf(counts, is_counted) AS counts_all,
    sumForEachIf(counts_before, is_difference) AS counts_earlier,
    arrayPopFront(arrayMap((now, before) -> (now - before), counts_all, arrayResize(counts_earlier, length(counts_all)))) AS buckets,
    count() AS points,
    sum(added_count) AS all_added_count,
    sum(added_sum) AS all_added_sum
  FROM (
    SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
      cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
      src.`ExplicitBounds` AS layout,
      arrayPushFront(src.`BucketCounts`, src.`Count`) AS counts,
      lagInFrame(counts) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS counts_before,
      ((src.`AggregationTemporality` = 1) OR notEmpty(counts_before) OR ((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000))) AS is_counted,
      NOT (((src.`AggregationTemporality` = 1) OR ((src.`ExplicitBounds` != lagInFrame(src.`ExplicitBounds`) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) OR arrayExists((now, before) -> (now < before), counts, arrayResize(counts_before, length(counts)))))) AS is_difference,
      (if(is_counted, toFloat64(src.`Count`), 0) - if(is_difference, toFloat64(lagInFrame(src.`Count`) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)), 0)) AS added_count,
      (if(is_counted, toFloat64(src.`Sum`), 0) - if(is_difference, toFloat64(lagInFrame(src.`Sum`) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)), 0)) AS added_sum
    FROM `otel`.`otel_metrics_histogram` AS src
    WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
      AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
      AND ((src.`MetricName` = {p3:String}))
  )
  WHERE ((at >= {p4:Int64}))
  GROUP BY ts, layout
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "requests"
-- p4 = "1736942400000"
