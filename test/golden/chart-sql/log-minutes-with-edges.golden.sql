SELECT bucket AS ts,
  sum(bucket_rows) AS n0
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((toStartOfMinute(src.`TimestampTime`) >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((toStartOfMinute(src.`TimestampTime`) < toDateTime({p2:UInt32}, 'UTC')))
  GROUP BY bucket
  UNION ALL
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
    AND ((src.`TimestampTime` >= toDateTime({p5:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` <= toDateTime({p6:UInt32}, 'UTC')))
  GROUP BY bucket
  UNION ALL
  SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
    count() AS bucket_rows
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p7:UInt32}, 'UTC')))
  GROUP BY bucket
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942460"
-- p2 = "1736946000"
-- p3 = "1736942400001"
-- p4 = "1736942460000"
-- p5 = "1736942400"
-- p6 = "1736942459"
-- p7 = "1736946030"
