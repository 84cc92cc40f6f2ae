SELECT ((intDiv(((toInt64(toUnixTimestamp(src.`TimestampTime`)) * 1000) + 240000), 300000) * 300000) - 240000) AS ts,
  count() AS n0,
  toNullable(toFloat64(count())) AS v0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400"
-- p2 = "1736946000"
