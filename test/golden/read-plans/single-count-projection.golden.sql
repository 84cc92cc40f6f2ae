SELECT bucket AS ts,
  service_name AS g0,
  sum(bucket_rows) AS n0
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
    src.`ServiceName` AS service_name,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((toStartOfMinute(src.`TimestampTime`) >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((toStartOfMinute(src.`TimestampTime`) < toDateTime({p2:UInt32}, 'UTC')))
  GROUP BY bucket, service_name
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "1736942400"
-- p2 = "1736946000"
