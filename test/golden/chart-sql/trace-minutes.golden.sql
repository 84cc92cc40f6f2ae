SELECT bucket AS ts,
  service_name AS g0,
  sumIf(bucket_rows, (positionCaseInsensitive(status_code, {p1:String}) > 0)) AS n0,
  sum(bucket_rows) AS n1
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`Timestamp`))) * 1000), 300000) * 300000) AS bucket,
    src.`ServiceName` AS service_name,
    src.`StatusCode` AS status_code,
    count() AS bucket_rows
  FROM `otel`.`otel_traces` AS src
  WHERE ((toStartOfMinute(src.`Timestamp`) >= toDateTime({p2:UInt32}, 'UTC')))
    AND ((toStartOfMinute(src.`Timestamp`) < toDateTime({p3:UInt32}, 'UTC')))
  GROUP BY bucket, service_name, status_code
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "Error"
-- p2 = "1736942400"
-- p3 = "1736946000"
