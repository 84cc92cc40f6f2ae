SELECT ((toInt64(intDiv((toUnixTimestamp(src.`TimestampTime`) + 240), 300)) * 300000) - 240000) AS ts,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
GROUP BY intDiv((toUnixTimestamp(src.`TimestampTime`) + 240), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400"
-- p2 = "1736946000"
