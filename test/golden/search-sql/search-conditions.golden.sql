SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND ((src.`SeverityText` = {p3:String}))
ORDER BY src.`Timestamp` DESC, c0, c1
LIMIT 100 OFFSET 0
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "error"
