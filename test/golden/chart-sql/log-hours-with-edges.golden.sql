SELECT bucket AS ts,
  sum(bucket_rows) AS n0
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfHour(src.`TimestampTime`, 'UTC'))) * 1000), 3600000) * 3600000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((toStartOfHour(src.`TimestampTime`, 'UTC') >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((toStartOfHour(src.`TimestampTime`, 'UTC') < toDateTime({p2:UInt32}, 'UTC')))
  GROUP BY bucket
  UNION ALL
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 3600000) * 3600000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((toStartOfMinute(src.`TimestampTime`) >= toDateTime({p3:UInt32}, 'UTC')))
    AND ((toStartOfMinute(src.`TimestampTime`) < toDateTime({p1:UInt32}, 'UTC')))
  GROUP BY bucket
  UNION ALL
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 3600000) * 3600000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
    AND ((src.`TimestampTime` >= toDateTime({p6:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` <= toDateTime({p7:UInt32}, 'UTC')))
  GROUP BY bucket
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736946000"
-- p2 = "1736974800"
-- p3 = "1736942460"
-- p4 = "1736942400001"
-- p5 = "1736942460000"
-- p6 = "1736942400"
-- p7 = "1736942459"
