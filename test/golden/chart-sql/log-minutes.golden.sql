SELECT bucket AS ts,
  service_name AS g0,
  sumIf(bucket_rows, (positionCaseInsensitive(severity_text, {p1:String}) > 0)) AS n0,
  sum(bucket_rows) AS n1
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
    src.`ServiceName` AS service_name,
    src.`SeverityText` AS severity_text,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((toStartOfMinute(src.`TimestampTime`) >= toDateTime({p2:UInt32}, 'UTC')))
    AND ((toStartOfMinute(src.`TimestampTime`) < toDateTime({p3:UInt32}, 'UTC')))
  GROUP BY bucket, service_name, severity_text
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "error"
-- p2 = "1736942400"
-- p3 = "1736946000"
