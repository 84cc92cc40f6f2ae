SELECT (toInt64(intDiv(toUnixTimestamp(src.`TimestampTime`), 300)) * 300000) AS ts,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND ((positionCaseInsensitive(src.`SeverityText`, {p3:String}) > 0))
GROUP BY intDiv(toUnixTimestamp(src.`TimestampTime`), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "error"
