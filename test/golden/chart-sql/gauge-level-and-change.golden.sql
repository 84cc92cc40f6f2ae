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
    0 AS needs_care,
    0 AS took_turns
  FROM (
    SELECT ts AS ts,
      sum(points) AS n0,
      toNullable(toFloat64(max(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
    FROM (
      SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
        src.`Value` AS value,
        1 AS points
      FROM `otel`.`otel_metrics_gauge` AS src
      WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
        AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
        AND ((src.`MetricName` = {p3:String}))
        AND (isFinite(src.`Value`))
    )
    GROUP BY ts
  )
  UNION ALL
  SELECT ts AS ts,
    toUInt64(0) AS part_n0,
    NULL AS part_v0,
    n1 AS part_n1,
    v1 AS part_v1,
    0 AS needs_care,
    0 AS took_turns
  FROM (
    SELECT ts AS ts,
      sum(points) AS n1,
      toNullable(toFloat64(max(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v1
    FROM (
      SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
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
    GROUP BY ts
  )
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "requests"
