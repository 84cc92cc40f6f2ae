SELECT ts AS ts,
  sum(points) AS n0,
  toNullable(toFloat64(sum(all_added_count))) AS v0,
  sum(needs_care) AS needs_care,
  sum(took_turns) AS took_turns
FROM (
  SELECT (intDiv(at, 300000) * 300000) AS ts,
    layout AS layout,
    sumForEachIf(counts, is_counted) AS counts_all,
    sumForEachIf(counts_before, is_difference) AS counts_earlier,
    arrayPopFront(arrayMap((now, before) -> (now - before), counts_all, arrayResize(counts_earlier, length(counts_all)))) AS buckets,
    count() AS points,
    sum(added_count) AS all_added_count,
    sum(needs_care) AS needs_care,
    sum(took_turns) AS took_turns
  FROM (
    SELECT at AS at,
      is_delta AS is_delta,
      attribute_set AS attribute_set,
      counts_in_full AS counts_in_full,
      layout AS layout,
      layout_before AS layout_before,
      counts AS counts,
      counts_before AS counts_before,
      own_count AS own_count,
      own_count_before AS own_count_before,
      is_restart AS is_restart,
      takes_turns AS takes_turns,
      is_reset AS is_reset,
      (is_delta OR notEmpty(counts_before) OR counts_in_full) AS is_counted,
      NOT ((is_delta OR is_reset)) AS is_difference,
      (if(is_counted, toFloat64(own_count), 0) - if(is_difference, toFloat64(own_count_before), 0)) AS added_count,
      (NOT (is_delta) AND is_restart) AS needs_care,
      takes_turns AS took_turns
    FROM (
      SELECT at AS at,
        is_delta AS is_delta,
        attribute_set AS attribute_set,
        counts_in_full AS counts_in_full,
        layout AS layout,
        layout_before AS layout_before,
        counts AS counts,
        counts_before AS counts_before,
        own_count AS own_count,
        own_count_before AS own_count_before,
        is_restart AS is_restart,
        takes_turns AS takes_turns,
        ((layout != layout_before) OR arrayExists((now, before) -> (now < before), counts, arrayResize(counts_before, length(counts)))) AS is_reset
      FROM (
        SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
          (src.`AggregationTemporality` = 1) AS is_delta,
          cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
          ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p1:Int64})) AS counts_in_full,
          src.`ExplicitBounds` AS layout,
          lagInFrame(src.`ExplicitBounds`, 1, layout) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS layout_before,
          arrayPushFront(src.`BucketCounts`, src.`Count`) AS counts,
          lagInFrame(arrayPushFront(src.`BucketCounts`, src.`Count`), 1, arrayResize(counts, 0)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS counts_before,
          src.`Count` AS own_count,
          lagInFrame(src.`Count`, 1, 0) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_count_before,
          (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
          (((lagInFrame(toFloat64(src.`Count`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Count`) >= lagInFrame(toFloat64(src.`Count`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
        FROM `otel`.`otel_metrics_histogram` AS src
        WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
          AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
          AND ((src.`MetricName` = {p4:String}))
      )
      WHERE ((at >= {p5:Int64}))
    )
  )
  GROUP BY ts, layout
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "600000000000"
-- p2 = "1736941800000"
-- p3 = "1736946000000"
-- p4 = "requests"
-- p5 = "1736942400000"
