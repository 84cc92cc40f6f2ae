SELECT ts AS ts,
  g0 AS g0,
  sum(part_n0) AS n0,
  max(part_v0) AS v0,
  sum(part_n1) AS n1,
  max(part_v1) AS v1,
  sum(needs_care) AS needs_care,
  sum(took_turns) AS took_turns
FROM (
  SELECT ts AS ts,
    g0 AS g0,
    n0 AS part_n0,
    v0 AS part_v0,
    toUInt64(0) AS part_n1,
    NULL AS part_v1,
    0 AS needs_care,
    0 AS took_turns
  FROM (
    SELECT ts AS ts,
      g0 AS g0,
      sum(points) AS n0,
      toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
    FROM (
      SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
        any(src.`ServiceName`) AS g0,
        src.`AttributeSet` AS attribute_set,
        argMax(src.`Value`, (bitShiftLeft(toInt128(toUnixTimestamp64Nano(src.`TimeUnix`)), 64) + (reinterpretAsInt64(abs(src.`Value`)) * sign(src.`Value`)))) AS value,
        count() AS points
      FROM `otel`.`otel_metrics_gauge` AS src
      WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
        AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
        AND ((src.`MetricName` = {p3:String}))
        AND (isFinite(src.`Value`))
      GROUP BY ts, attribute_set
    )
    GROUP BY ts, g0
  )
  UNION ALL
  SELECT ts AS ts,
    g0 AS g0,
    toUInt64(0) AS part_n0,
    NULL AS part_v0,
    n1 AS part_n1,
    v1 AS part_v1,
    needs_care AS needs_care,
    took_turns AS took_turns
  FROM (
    SELECT ts AS ts,
      g0 AS g0,
      sum(gain_points) AS n1,
      toNullable(toFloat64(sum(value))) AS v1,
      sum(needs_care) AS needs_care,
      sum(took_turns) AS took_turns
    FROM (
      SELECT (intDiv(at, 300000) * 300000) AS ts,
        g0 AS g0,
        (reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) AS gain,
        1 AS gain_points,
        (reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) AS value,
        (NOT (is_delta) AND (is_restart OR is_level)) AS needs_care,
        (takes_turns AND is_monotonic) AS took_turns
      FROM (
        SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
          (src.`AggregationTemporality` = 1) AS is_delta,
          src.`ServiceName` AS g0,
          cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
          src.`IsMonotonic` AS is_monotonic,
          (NOT (src.`IsMonotonic`) AND NOT ((src.`AggregationTemporality` = 1))) AS is_level,
          ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p4:Int64})) AS counts_in_full,
          src.`Value` AS reading,
          lagInFrame(src.`Value`, 1, if(counts_in_full, 0, reading)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_before,
          (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
          (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
        FROM `otel`.`otel_metrics_sum` AS src
        WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
          AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
          AND ((src.`MetricName` = {p3:String}))
          AND (isFinite(src.`Value`))
      )
      WHERE ((at >= {p1:Int64}))
    )
    GROUP BY ts, g0
  )
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "requests"
-- p4 = "600000000000"
-- p5 = "1736941800000"
