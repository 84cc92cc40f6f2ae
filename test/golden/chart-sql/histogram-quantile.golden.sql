SELECT ts AS ts,
  sum(points) AS n0,
  toNullable(toJSONString(mapFromArrays(groupArray(toString(layout)), groupArray(buckets)))) AS v0
FROM (
  SELECT (intDiv(at, 300000) * 300000) AS ts,
    layout AS layout,
    sumForEachIf(counts, is_counted) AS counts_all,
    sumForEachIf(counts_before, is_difference) AS counts_earlier,
    arrayPopFront(arrayMap((now, before) -> (now - before), counts_all, arrayResize(counts_earlier, length(counts_all)))) AS buckets,
    count() AS points
  FROM (
    SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
      cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
      src.`ExplicitBounds` AS layout,
      arrayPushFront(src.`BucketCounts`, src.`Count`) AS counts,
      lagInFrame(counts) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS counts_before,
      ((src.`AggregationTemporality` = 1) OR notEmpty(counts_before) OR ((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000))) AS is_counted,
      NOT (((src.`AggregationTemporality` = 1) OR ((src.`ExplicitBounds` != lagInFrame(src.`ExplicitBounds`) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) OR arrayExists((now, before) -> (now < before), counts, arrayResize(counts_before, length(counts)))))) AS is_difference
    FROM `otel`.`otel_metrics_histogram` AS src
    WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
      AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
      AND ((src.`MetricName` = {p3:String}))
  )
  WHERE ((at >= {p4:Int64}))
  GROUP BY ts, layout
)
GROUP BY ts
HAVING (sum(arraySum(buckets)) > 0)
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "requests"
-- p4 = "1736942400000"
