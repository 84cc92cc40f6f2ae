SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1,
  src.`Timestamp` AS k0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
ORDER BY src.`Timestamp` DESC
LIMIT 101 OFFSET 0
-- p1 = "1736942400"
-- p2 = "1736946000"
