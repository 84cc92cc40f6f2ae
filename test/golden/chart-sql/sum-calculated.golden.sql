SELECT ts AS ts,
  sum(part_n0) AS n0,
  max(part_v0) AS v0,
  sum(part_n1) AS n1,
  max(part_v1) AS v1,
  sum(needs_care) AS needs_care,
  sum(took_turns) AS took_turns
FROM (
  SELECT ts AS ts,
    n0 AS part_n0,
    v0 AS part_v0,
    toUInt64(0) AS part_n1,
    NULL AS part_v1,
    needs_care AS needs_care,
    took_turns AS took_turns
  FROM (
    SELECT ts AS ts,
      sum(gain_points) AS n0,
      toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0,
      sum(needs_care) AS needs_care,
      sum(took_turns) AS took_turns
    FROM (
      SELECT (intDiv(at, 300000) * 300000) AS ts,
        sum(((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) * scale)) AS gain,
        count() AS gain_points,
        sum(((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) * scale)) AS value,
        countIf((NOT (is_delta) AND (is_restart OR is_level))) AS needs_care,
        countIf((takes_turns AND is_monotonic)) AS took_turns
      FROM (
        SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
          (src.`AggregationTemporality` = 1) AS is_delta,
          cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
          assumeNotNull(nullIf(ifNotFinite(toFloat64((toFloat64({p1:Int64}) / toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308)) AS scale,
          src.`IsMonotonic` AS is_monotonic,
          (NOT (src.`IsMonotonic`) AND NOT ((src.`AggregationTemporality` = 1))) AS is_level,
          ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p3:Int64})) AS counts_in_full,
          src.`Value` AS reading,
          lagInFrame(src.`Value`, 1, if(counts_in_full, 0, reading)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_before,
          (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
          (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
        FROM `otel`.`otel_metrics_sum` AS src
        WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
          AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
          AND ((src.`MetricName` = {p6:String}))
          AND (isFinite(src.`Value`))
          AND (isNotNull(nullIf(ifNotFinite(toFloat64((toFloat64({p1:Int64}) / toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308)))
      )
      WHERE ((at >= {p7:Int64}))
      GROUP BY ts, attribute_set
    )
    GROUP BY ts
  )
  UNION ALL
  SELECT ts AS ts,
    toUInt64(0) AS part_n0,
    NULL AS part_v0,
    n1 AS part_n1,
    v1 AS part_v1,
    needs_care AS needs_care,
    took_turns AS took_turns
  FROM (
    SELECT ts AS ts,
      sum(gain_points) AS n1,
      toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v1,
      sum(needs_care) AS needs_care,
      sum(took_turns) AS took_turns
    FROM (
      SELECT (intDiv(at, 300000) * 300000) AS ts,
        sum((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before))) AS gain,
        count() AS gain_points,
        sum((reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before))) AS value,
        countIf((NOT (is_delta) AND (is_restart OR is_level))) AS needs_care,
        countIf((takes_turns AND is_monotonic)) AS took_turns
      FROM (
        SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
          (src.`AggregationTemporality` = 1) AS is_delta,
          cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
          src.`IsMonotonic` AS is_monotonic,
          (NOT (src.`IsMonotonic`) AND NOT ((src.`AggregationTemporality` = 1))) AS is_level,
          ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p3:Int64})) AS counts_in_full,
          src.`Value` AS reading,
          lagInFrame(src.`Value`, 1, if(counts_in_full, 0, reading)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_before,
          (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
          (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
        FROM `otel`.`otel_metrics_sum` AS src
        WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
          AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
          AND ((src.`MetricName` = {p6:String}))
          AND (isFinite(src.`Value`))
      )
      WHERE ((at >= {p7:Int64}))
      GROUP BY ts, attribute_set
    )
    GROUP BY ts
  )
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1"
-- p2 = "1024"
-- p3 = "600000000000"
-- p4 = "1736941800000"
-- p5 = "1736946000000"
-- p6 = "requests"
-- p7 = "1736942400000"
