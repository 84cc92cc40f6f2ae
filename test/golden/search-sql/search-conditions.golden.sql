SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p4:UInt32}, 'UTC')))
  AND ((src.`SeverityText` = {p5:String}))
ORDER BY src.`Timestamp` DESC, c0, c1
LIMIT 100 OFFSET 0
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942400"
-- p4 = "1736945999"
-- p5 = "error"
