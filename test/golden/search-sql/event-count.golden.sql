SELECT count() AS n
FROM `otel`.`otel_logs` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` <= toDateTime({p4:UInt32}, 'UTC')))
  AND (((src.`ServiceName` = {p5:String}) OR (src.`ServiceName` = {p6:String})))
LIMIT 1
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942400"
-- p4 = "1736945999"
-- p5 = "a"
-- p6 = "b"
